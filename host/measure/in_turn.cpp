#include "measure/in_turn.hpp"

#include "measure/clock.hpp"
#include "measure/statistics.hpp"

#include <algorithm>
#include <utility>

#include <time.h>

namespace tune_gemm::host {
namespace {

double processor_ns() noexcept {
    timespec used{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return 1e9 * static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec);
}

/// `goes_on` is asked before each round, with its number.
template <class GoesOn>
TimedSamples take_samples(const std::vector<Contestant>& contestants, std::int64_t calls, GoesOn&& goes_on) {
    TimedSamples samples;
    samples.ns.resize(contestants.size()), samples.away.resize(contestants.size());
    for (const Contestant& contestant : contestants)
        contestant();
    for (int round = 0; goes_on(round); ++round) {
        for (std::size_t x = 0; x < contestants.size(); ++x) {
            const double used = processor_ns();
            const std::int64_t start = now_ns();
            for (std::int64_t call = 0; call < calls; ++call)
                contestants[x]();
            const auto ns = static_cast<double>(now_ns() - start);
            samples.ns[x].push_back(ns / static_cast<double>(calls));
            samples.away[x].push_back(std::max(1 - (processor_ns() - used) / std::max(ns, 1.0), 0.0));
        }
    }
    return samples;
}

} // namespace

std::vector<std::vector<double>> samples_in_turn(const std::vector<Contestant>& contestants, int rounds,
                                                 std::int64_t calls) {
    return take_samples(contestants, calls, [rounds](int round) { return round < rounds; }).ns;
}

TimedSamples samples_for(const std::vector<Contestant>& contestants, double seconds, int least_rounds) {
    const std::int64_t end = now_ns() + static_cast<std::int64_t>(1e9 * seconds);
    return take_samples(contestants, 1, [&](int round) { return round < least_rounds || now_ns() < end; });
}

std::vector<double> medians_in_turn(const std::vector<Contestant>& contestants, int rounds,
                                    std::int64_t calls) {
    std::vector<double> result;
    for (const std::vector<double>& samples : samples_in_turn(contestants, rounds, calls))
        result.push_back(median(samples));
    return result;
}

std::int64_t calls_per_sample(const Contestant& contestant, double sample_ns) {
    constexpr std::int64_t most = 1'000'000;
    std::int64_t calls = 1;
    double ns = medians_in_turn({contestant}, 3, calls).front();
    while (ns * static_cast<double>(calls) < sample_ns / 10 && calls < most) {
        calls *= 10;
        ns = medians_in_turn({contestant}, 3, calls).front();
    }
    return std::clamp(static_cast<std::int64_t>(sample_ns / std::max(ns, 1.0)), std::int64_t{1}, 10 * most);
}

Contestant repeated(Contestant contestant, std::int64_t calls) {
    return [contestant = std::move(contestant), calls] {
        for (std::int64_t call = 0; call < calls; ++call)
            contestant();
    };
}

} // namespace tune_gemm::host
