#include <tune_gemm/error.hpp>
#include <tune_gemm/validation.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

namespace tune_gemm {
namespace {

double unit_roundoff(tg_dtype dtype) {
    if (dtype == TG_F64)
        return 0x1p-53;
    if (dtype == TG_F32)
        return 0x1p-24;
    throw_bad_input(
        fmt::format("dtype {} ({}) has no error bound here; f32 and f64 have.", dtype, dtype_text(dtype)));
}

/// What rounding in this file may have taken off a bound is put back on it.
double rounded_up(double bound) noexcept {
    return bound * (1 + 0x1p-49);
}

} // namespace

GemmValidation validate_gemm(std::span<const double> expected, std::span<const double> actual,
                             double tolerance) {
    const bool usable = std::isfinite(tolerance) && tolerance >= 0;
    const std::size_t pairs = std::min(expected.size(), actual.size());
    GemmValidation result;
    result.mismatches = static_cast<std::int64_t>(std::max(expected.size(), actual.size()) - pairs);
    for (std::size_t index = 0; index < pairs; ++index) {
        const double error = std::fabs(actual[index] - expected[index]);
        // Two large finite numbers may differ by more than a double holds: no tolerance reaches that.
        const bool matches =
            usable && std::isfinite(expected[index]) && std::isfinite(actual[index]) && error <= tolerance;
        if (!matches)
            ++result.mismatches;
        if (std::isfinite(error))
            result.max_abs_error = std::max(result.max_abs_error, error);
    }
    if (!usable)
        result.mismatches = std::max<std::int64_t>(result.mismatches, 1);
    result.valid = result.mismatches == 0;
    return result;
}

double gamma(std::int64_t k, tg_dtype dtype) {
    const double ku = static_cast<double>(k) * unit_roundoff(dtype);
    return ku < 1 ? ku / (1 - ku) : HUGE_VAL;
}

double absolute_bound(std::int64_t k, tg_dtype dtype) {
    return 2 * gamma(k, dtype) * static_cast<double>(k);
}

double componentwise_bound(std::int64_t k, double sum_abs, double alpha, double beta, double abs_c,
                           tg_dtype dtype) {
    if (k == 0 && beta == 0)
        return 0; // Also keeps infinity times zero out.
    const bool plain = alpha == 1 && beta == 0;
    const double growth = gamma(plain ? k : k + 2, dtype);
    const double magnitude =
        plain ? sum_abs : std::fabs(alpha) * sum_abs + (beta == 0 ? 0 : std::fabs(beta) * abs_c);
    const double relative = magnitude == 0 ? 0 : growth * magnitude;
    // Each product may lose half of the smallest subnormal, which a double of its own cannot hold: so the
    // halves are counted first, and an odd one rounded up.
    const double halves = static_cast<double>(k) * (1 + growth);
    const double underflow =
        dtype == TG_F32 ? std::ldexp(halves, -150) : std::ldexp(std::ceil(rounded_up(halves) / 2), -1074);
    return rounded_up(relative) + underflow;
}

template <class T>
bool same_bits(T x, T y) noexcept {
    using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    return (std::isnan(x) && std::isnan(y)) || std::bit_cast<Bits>(x) == std::bit_cast<Bits>(y);
}
template bool same_bits<double>(double, double) noexcept;
template bool same_bits<float>(float, float) noexcept;

std::string to_text(const Difference& difference) {
    const bool sign_only = difference.expected == 0 && difference.actual == 0;
    return fmt::format("C({},{}) of batch {} is {}, expected {}: {}", difference.i, difference.j,
                       difference.batch, difference.actual, difference.expected,
                       sign_only ? std::string("the sign of zero differs")
                                 : fmt::format("off by {}, allowed {}", difference.error, difference.bound));
}

std::string compared_text(const Judgement& judgement) {
    return judgement.sampled ? fmt::format("sampled {}", judgement.compared)
                             : fmt::format("all {} entries", judgement.compared);
}

} // namespace tune_gemm
