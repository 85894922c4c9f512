#include "measure/disturbance.hpp"

#include <sched.h>
#include <sys/resource.h>

namespace tune_gemm::host {
namespace {

Disturbance counts() {
    rusage usage{};
    if (getrusage(RUSAGE_THREAD, &usage) != 0)
        return {};
    return {usage.ru_nivcsw, usage.ru_minflt, usage.ru_majflt, 0};
}

} // namespace

DisturbanceCounter::DisturbanceCounter() : start_(counts()), processor_(sched_getcpu()) {}

Disturbance DisturbanceCounter::since() const {
    const Disturbance now = counts();
    return {now.involuntary_switches - start_.involuntary_switches, now.minor_faults - start_.minor_faults,
            now.major_faults - start_.major_faults, sched_getcpu() == processor_ ? 0 : 1};
}

} // namespace tune_gemm::host
