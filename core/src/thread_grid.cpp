#include "thread_grid.hpp"

#include <tune_gemm/checked.hpp>

#include <algorithm>

namespace tune_gemm {
namespace {

/// Multiply-adds for which it pays to wake a thread: some ten microseconds of work.
constexpr double least_work = 1 << 19;

} // namespace

Range share_of(std::int64_t extent, std::int64_t unit, unsigned parts, unsigned index) noexcept {
    const std::int64_t units = ceil_div(extent, unit), each = units / parts, more = units % parts;
    const auto start = [&](std::int64_t part) {
        return std::min(extent, (part * each + std::min(part, more)) * unit);
    };
    return {start(index), start(std::int64_t{index} + 1)};
}

std::int64_t even_block(std::int64_t extent, std::int64_t most, std::int64_t unit) noexcept {
    if (extent <= most)
        return most;
    return std::min(most, round_up(ceil_div(extent, ceil_div(extent, most)), unit));
}

ThreadGrid choose_grid(const GemmProblem& p, std::int64_t mr, std::int64_t nr, unsigned threads) noexcept {
    if (threads <= 1 || p.m == 0 || p.n == 0 || p.batch == 0)
        return {};
    const double work = static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k) *
                        static_cast<double>(p.batch);
    const auto most =
        static_cast<std::int64_t>(std::clamp(work / least_work, 1.0, static_cast<double>(threads)));
    const std::int64_t tiles_m = ceil_div(p.m, mr), tiles_n = ceil_div(p.n, nr);
    ThreadGrid best;
    double least = -1;
    for (std::int64_t batch = std::min(most, p.batch); batch >= 1; --batch) {
        for (std::int64_t n = 1; n <= std::min(most / batch, tiles_n); ++n) {
            const std::int64_t m = std::min(most / batch / n, tiles_m);
            const double longest = static_cast<double>(ceil_div(p.batch, batch)) *
                                   static_cast<double>(ceil_div(tiles_m, m)) *
                                   static_cast<double>(ceil_div(tiles_n, n));
            if (least < 0 || longest < least) {
                least = longest;
                best = {static_cast<unsigned>(batch), static_cast<unsigned>(m), static_cast<unsigned>(n)};
            }
        }
    }
    return best;
}

bool shares_packed_b(const BlockedPlan& plan) noexcept {
    return plan.candidate.loop_order == LoopOrder::n_k_m && plan.access.packed_b && plan.grid.m > 1;
}

std::int64_t packed_blocks_of_b(const BlockedPlan& plan) noexcept {
    return shares_packed_b(plan) ? plan.grid.batch * plan.grid.n : plan.grid.count();
}

} // namespace tune_gemm
