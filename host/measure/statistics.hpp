// The few statistics that a handful of times needs: order statistics, which a single disturbed sample cannot
// move far.
#pragma once
#include <span>
#include <string>

namespace tune_gemm::host {

/// The middle value, or the mean of the two middle ones. NaN for no values.
double median(std::span<const double>);
/// The value below which the fraction p of the values lies, linear between neighbours (Hyndman and Fan,
/// "Sample quantiles in statistical packages", 1996, definition 7). 0 <= p <= 1. NaN for no values.
double quantile(std::span<const double>, double p);
/// The median distance from the median; not scaled. NaN for no values.
double median_absolute_deviation(std::span<const double>);

/// Where the median of the population lies, from order statistics alone, for any distribution.
struct MedianInterval {
    double low = 0, high = 0;
    double coverage = 0; ///< probability that it covers the median, from the binomial distribution
    /// Half the width, as a fraction of `middle`.
    double relative_half_width(double middle) const noexcept { return (high - low) / (2 * middle); }
};
/// The narrowest pair of order statistics x(r), x(n+1-r) that covers the median with at least `level` (David
/// and Nagaraja, "Order Statistics", 3rd ed., section 7.1). With too few values for that (fewer than 6 for
/// 0.95) the smallest and the largest, whose coverage is 1 - 2^(1-n). NaN and 0 for no values.
MedianInterval median_interval(std::span<const double>, double level = 0.95);

/// "3.1 %": a fraction with two or three figures.
std::string percent_text(double fraction);

} // namespace tune_gemm::host
