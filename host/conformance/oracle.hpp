// What a product must come out as: computed here, with nothing taken from core's reference, driver or
// packing, so that a fault of theirs cannot hide a kernel's.
//
// For a sequential class the expectation is one value for each entry, bit for bit. For a reordered one it is
// the exact sum, in 113-bit arithmetic in which products of doubles are exact, and the componentwise bound
// (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1), completed for underflow.
// Where the data makes sums exact in any order, a reordered kernel, too, has to give that very value.
#pragma once
#include <tune_gemm/catalogue.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace tune_gemm::host {

#if defined(__LDBL_MANT_DIG__) && __LDBL_MANT_DIG__ >= 113
using Quad = long double;
#else
__extension__ typedef __float128 Quad;
#endif

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

/// Equal bit for bit, or both NaN.
template <class T>
inline bool equal_bits(T x, T y) noexcept {
    BitsOf<T> bits_x, bits_y;
    std::memcpy(&bits_x, &x, sizeof x);
    std::memcpy(&bits_y, &y, sizeof y);
    return bits_x == bits_y || (x != x && y != y);
}

/// One matrix product as plain numbers: a is m x k, b is k x n, c is m x n, all row-major and tight.
template <class T>
struct Numbers {
    std::int64_t m = 0, n = 0, k = 0;
    std::vector<T> a, b, c;

    void resize(std::int64_t rows, std::int64_t columns, std::int64_t depth) {
        m = rows, n = columns, k = depth;
        a.resize(static_cast<std::size_t>(m * k));
        b.resize(static_cast<std::size_t>(k * n));
        c.resize(static_cast<std::size_t>(m * n));
    }
    T& at_a(std::int64_t i, std::int64_t l) { return a[static_cast<std::size_t>(i * k + l)]; }
    T& at_b(std::int64_t l, std::int64_t j) { return b[static_cast<std::size_t>(l * n + j)]; }
    T& at_c(std::int64_t i, std::int64_t j) { return c[static_cast<std::size_t>(i * n + j)]; }
};

/// What an entry is held to. bits: the sequential sum, bit for bit (-0 and +0 differ, all NaNs are equal).
/// values: the same sum as a number (-0 and +0 are equal). bound: the exact sum within the componentwise
/// bound.
enum class Judging : std::uint8_t { bits, values, bound };

template <class T>
class Expectation {
  public:
    /// C := alpha*A*B + beta*C. A sequential sum starts at beta*c (beta = 0: at +0, c is not looked at; beta
    /// = 1: at c) and adds a(i,l) * (alpha*b(l,j)) in increasing l, rounding as `muladd` says (0: twice);
    /// with alpha = 0 it adds nothing.
    void compute(const Numbers<T>&, T alpha, T beta, tg_muladd muladd, Judging);

    /// Whether entry (i, j), at index i*n + j, may be `actual`. Written so that a NaN does not pass for a
    /// number.
    bool accepts(std::int64_t index, T actual) const noexcept {
        const auto at = static_cast<std::size_t>(index);
        if (judging_ == Judging::bound)
            return within_bound(at, actual);
        return equal_bits(values_[at], actual) || (judging_ == Judging::values && values_[at] == actual);
    }
    /// "is 7 (0x1.cp+2), expected 8 (0x1p+3)", with the bound where one is allowed.
    std::string difference(std::int64_t index, T actual) const;

  private:
    void compute_bound(const Numbers<T>&, T alpha, T beta);
    bool within_bound(std::size_t at, T actual) const noexcept;

    Judging judging_ = Judging::bits;
    std::vector<T> values_;
    std::vector<Quad> exact_, bound_;
};

} // namespace tune_gemm::host
