#include "measure/statistics.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tune_gemm::host {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

std::vector<double> sorted(std::span<const double> values) {
    std::vector<double> copy(values.begin(), values.end());
    std::sort(copy.begin(), copy.end());
    return copy;
}

double quantile_of_sorted(const std::vector<double>& values, double p) {
    if (values.empty())
        return nothing;
    const double at = p * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const auto above = std::min(below + 1, values.size() - 1);
    return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

} // namespace

double median(std::span<const double> values) {
    return quantile(values, 0.5);
}

double quantile(std::span<const double> values, double p) {
    return quantile_of_sorted(sorted(values), p);
}

double median_absolute_deviation(std::span<const double> values) {
    const double middle = median(values);
    std::vector<double> distances;
    distances.reserve(values.size());
    for (const double value : values)
        distances.push_back(std::fabs(value - middle));
    return median(distances);
}

MedianInterval median_interval(std::span<const double> values, double level) {
    if (values.empty())
        return {nothing, nothing, 0};
    const auto order = sorted(values);
    const std::size_t n = order.size();
    // The number of values below the median is binomial(n, 1/2); x(r) to x(n+1-r) misses it when fewer than r
    // lie on one side, which has probability 2 P(X <= r - 1).
    const boost::math::binomial_distribution<double> below(static_cast<double>(n), 0.5);
    const auto coverage = [&](std::size_t r) {
        return 1 - 2 * boost::math::cdf(below, static_cast<double>(r - 1));
    };
    std::size_t rank = 1;
    while (2 * (rank + 1) < n + 1 && coverage(rank + 1) >= level)
        ++rank;
    return {order[rank - 1], order[n - rank], std::max(coverage(rank), 0.0)};
}

std::string percent_text(double fraction) {
    const double percent = 100 * fraction;
    return fmt::format("{:.{}f} %", percent,
                       std::fabs(percent) < 0.995  ? 2
                       : std::fabs(percent) < 99.5 ? 1
                                                   : 0);
}

} // namespace tune_gemm::host
