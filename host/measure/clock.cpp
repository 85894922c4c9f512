#include "measure/clock.hpp"

#include "measure/statistics.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace tune_gemm::host {
namespace {

constexpr int runs = 15;
constexpr int readings = 1000;

ClockQuality measure() {
    std::int64_t smallest = std::numeric_limits<std::int64_t>::max();
    std::vector<double> costs;
    for (int run = 0; run < runs; ++run) {
        const std::int64_t first = now_ns();
        std::int64_t last = first;
        for (int i = 0; i < readings; ++i) {
            const std::int64_t now = now_ns();
            if (now > last)
                smallest = std::min(smallest, now - last);
            last = now;
        }
        costs.push_back(static_cast<double>(last - first) / readings);
    }
    // A clock too coarse to move at all during the runs: its grain is no finer than what they took.
    if (smallest == std::numeric_limits<std::int64_t>::max())
        smallest = 1'000'000;
    return {std::max<std::int64_t>(smallest, 1), median(costs)};
}

} // namespace

const ClockQuality& clock_quality() {
    static const ClockQuality quality = measure();
    return quality;
}

} // namespace tune_gemm::host
