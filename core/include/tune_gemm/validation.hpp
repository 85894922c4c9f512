// Judging a computed C. Every comparison is written so that a NaN fails.
#pragma once
#include <tune_gemm/catalogue.hpp>
#include <tune_gemm/shape.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tune_gemm {

struct GemmValidation {
    bool valid = false;
    std::int64_t mismatches = 0;
    double max_abs_error = 0; ///< the largest finite difference
};

/// Mismatches: every element past the shorter length, every pair with a non-finite value, every pair further
/// apart than the tolerance. A NaN, infinite or negative tolerance gives valid = false and at least one
/// mismatch.
GemmValidation validate_gemm(std::span<const double> expected, std::span<const double> actual,
                             double tolerance);

/// gamma_k = k*u/(1 - k*u), u = 2^-53 (f32: 2^-24): Higham, Accuracy and Stability of Numerical Algorithms,
/// 2nd ed., section 3.1. Infinity when k*u >= 1.
double gamma(std::int64_t k, tg_dtype);
/// 2*gamma_k*k: serves for inputs of reproducible_matrix, whose entries are at most 1 in magnitude.
double absolute_bound(std::int64_t k, tg_dtype);
/// gamma_{k+2}*(|alpha|*sum_l |a||b| + |beta||c|), or gamma_k * sum for alpha = 1, beta = 0; completed for
/// underflow by k*2^-1075*(1+gamma) (f32: 2^-150).
double componentwise_bound(std::int64_t k, double sum_abs, double alpha, double beta, double abs_c, tg_dtype);

/// "Bitwise": -0 and +0 differ, all NaNs are equal.
template <class T>
bool same_bits(T x, T y) noexcept;

/// Where a result is wrong first.
struct Difference {
    std::int64_t batch = 0, i = 0, j = 0;
    double expected = 0, actual = 0, error = 0, bound = 0;
};
/// "C(3,5) of batch 0 is -1.25, expected 0.5: off by 1.75, allowed 0".
std::string to_text(const Difference&);

/// What was compared and how it came out. `bound` is the largest bound that was allowed (0: bitwise).
struct Judgement {
    bool correct = false;
    std::int64_t compared = 0, wrong = 0;
    bool sampled = false; ///< true: `compared` seeded entries; false: every entry
    double max_abs_error = 0, bound = 0;
    std::optional<Difference> first;
};
/// "all 4096 entries" or "sampled 512".
std::string compared_text(const Judgement&);

/// Compares C (tight, in layout_c) with the class's reference: bit for bit with the (fused) reference for a
/// sequential class, by the componentwise bound for a reordered one. Above full_comparison_limit
/// multiply-adds only seeded entries that cover every residue class modulo mr and nr and both sides of every
/// mc and nc block edge. `reference` may hold the whole reference of that class, computed before; empty: it
/// is computed here.
template <class T>
Judgement judge_product(const GemmShape&, std::span<const T> a, std::span<const T> b, std::span<const T> c,
                        const ArithmeticClass&, const GemmCandidate&, std::uint64_t seed,
                        std::span<const T> reference = {});

inline constexpr std::int64_t full_comparison_limit = std::int64_t{1} << 27; ///< multiply-adds

} // namespace tune_gemm
