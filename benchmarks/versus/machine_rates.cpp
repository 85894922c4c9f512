#include "machine_rates.hpp"

#include "measure/clock.hpp"

#include <algorithm>
#include <barrier>
#include <functional>
#include <thread>

#include <sched.h>

namespace tune_gemm::bench {
namespace {

/// Keeps the calling thread on the index-th processor that the process may use, counted around: two threads
/// that were started on one processor may stay there for longer than a sample takes.
void stay_on_processor(unsigned index) noexcept {
    cpu_set_t allowed;
    if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return;
    unsigned left = index % static_cast<unsigned>(std::max(CPU_COUNT(&allowed), 1));
    for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
        if (!CPU_ISSET(processor, &allowed) || left-- != 0)
            continue;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(processor, &one);
        ::sched_setaffinity(0, sizeof one, &one);
        return;
    }
}

/// ns from when all threads begin until all have ended.
double timed(unsigned threads, const std::function<void(unsigned)>& work) {
    if (threads == 1) {
        const std::int64_t start = host::now_ns();
        work(0);
        return static_cast<double>(host::now_ns() - start);
    }
    std::int64_t start = 0;
    std::barrier ready(threads, [&]() noexcept { start = host::now_ns(); });
    {
        std::vector<std::jthread> all;
        for (unsigned t = 0; t < threads; ++t)
            all.emplace_back([&, t] {
                stay_on_processor(t);
                ready.arrive_and_wait();
                work(t);
            });
    }
    return static_cast<double>(host::now_ns() - start);
}

/// How often something must be repeated to take min_ns, when `times` took `ns`.
std::int64_t calibrated(std::int64_t times, double ns, std::int64_t min_ns) {
    const double wanted = static_cast<double>(times) * static_cast<double>(min_ns) / std::max(ns, 1.0);
    return std::clamp(static_cast<std::int64_t>(wanted), std::int64_t{1}, std::int64_t{1} << 40);
}

#if defined(__x86_64__)

/// Loads 256 bytes a turn into registers and drops them, a line from each of four streams that lie side by
/// side: one stream alone does not keep the memory busy. In assembly, or a compiler would drop the loads.
void read_bytes(const double* data, std::int64_t turns) noexcept {
    const std::int64_t apart = turns * 64;
    __asm__ volatile(R"(
        .p2align 5
        1:
        vmovups (%0), %%ymm0
        vmovups 32(%0), %%ymm1
        vmovups (%0,%2), %%ymm2
        vmovups 32(%0,%2), %%ymm3
        vmovups (%0,%2,2), %%ymm4
        vmovups 32(%0,%2,2), %%ymm5
        vmovups (%0,%3), %%ymm6
        vmovups 32(%0,%3), %%ymm7
        add $64, %0
        dec %1
        jnz 1b
        vzeroupper)"
                     : "+r"(data), "+r"(turns)
                     : "r"(apart), "r"(3 * apart)
                     : "cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
                       "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}
bool can_read() noexcept {
    return __builtin_cpu_supports("avx") != 0;
}

#else

void read_bytes(const double*, std::int64_t) noexcept {}
bool can_read() noexcept {
    return false;
}

#endif

constexpr std::int64_t turn_bytes = 256;

} // namespace

PeakMeter::PeakMeter(tg_dtype type, const std::vector<std::string>& features, unsigned threads)
    : loop_(fma_loop(type, features)), threads_(threads) {}

double PeakMeter::sample(std::int64_t min_ns) {
    const auto run = [this] { return timed(threads_, [this](unsigned) { loop_.run(repeats_); }); };
    double ns = run();
    if (ns < static_cast<double>(min_ns) / 2) {
        repeats_ = calibrated(repeats_, ns, min_ns);
        ns = run();
    }
    return static_cast<double>(threads_) * loop_.flop_per_repeat * static_cast<double>(repeats_) / ns;
}

ReadMeter::ReadMeter(std::int64_t bytes, unsigned threads) : threads_(threads), usable_(can_read()) {
    const std::int64_t turns =
        std::max<std::int64_t>(bytes / turn_bytes / threads, 16) * static_cast<std::int64_t>(threads);
    if (usable_)
        data_.assign(static_cast<std::size_t>(turns * turn_bytes / 8), 1.0);
}

double ReadMeter::pass(std::int64_t times) const {
    const std::size_t share = data_.size() / threads_;
    return timed(threads_, [&](unsigned t) {
        for (std::int64_t i = 0; i < times; ++i)
            read_bytes(data_.data() + t * share, static_cast<std::int64_t>(share) * 8 / turn_bytes);
    });
}

double ReadMeter::sample(std::int64_t min_ns) {
    pass(1); // a product has one use to warm up, too
    double ns = pass(times_);
    if (ns < static_cast<double>(min_ns) / 2) {
        times_ = calibrated(times_, ns, min_ns);
        ns = pass(times_);
    }
    return static_cast<double>(data_.size()) * 8 * static_cast<double>(times_) / ns;
}

} // namespace tune_gemm::bench
