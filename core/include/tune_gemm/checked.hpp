// 64-bit arithmetic that says so when it overflows.
#pragma once
#include <cstdint>
#include <optional>

namespace tune_gemm {

/// The product (sum) of two numbers, or nothing when it does not fit.
constexpr std::optional<std::int64_t> checked_multiply(std::int64_t a, std::int64_t b) noexcept {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product))
        return std::nullopt;
    return product;
}
constexpr std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b) noexcept {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum))
        return std::nullopt;
    return sum;
}

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) noexcept {
    return a / b + (a % b != 0 ? 1 : 0);
}
/// The smallest multiple of `unit` that is not below `a`. Precondition: a >= 0, unit > 0, no overflow.
constexpr std::int64_t round_up(std::int64_t a, std::int64_t unit) noexcept {
    return ceil_div(a, unit) * unit;
}

} // namespace tune_gemm
