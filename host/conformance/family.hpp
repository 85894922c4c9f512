// Families of data, each made to show a kind of fault.
#pragma once
#include "conformance/oracle.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace tune_gemm::host {

enum class Family : std::uint8_t {
    /// Small integers, all different as far as the type allows: every sum is exact in any order, and an
    /// element taken for
    /// another shows.
    integers,
    /// A(i, (i + index) mod k) = 1, else 0; B integers: C shows which l was used.
    one_hot_a,
    /// B((j + index) mod k, j) = 1, else 0; A integers.
    one_hot_b,
    /// Full mantissas of mixed size, neighbours in l nearly cancelling: another order, or another rounding,
    /// changes bits.
    cancelling,
    /// Rows of A and columns of B scaled by 2^-200, 1 and 2^200 (f32: 2^30): an error measured against the
    /// whole shows.
    scaled,
    /// Subnormal operands (variant 0) or subnormal products of normal operands (variant 1).
    subnormals,
    /// Zeros of both signs with some ones between.
    signed_zeros,
    /// Small integers and zeros, with one NaN, +Inf or -Inf (variant 0, 1, 2) at element `index` of A, B or
    /// C.
    nonfinite_a,
    nonfinite_b,
    nonfinite_c,
    /// Products and sums around the largest finite number. For sequential kernels only.
    overflow,
};
std::string_view to_text(Family) noexcept;

/// Which data exactly; the same recipe gives the same numbers.
struct Recipe {
    Family family = Family::integers;
    std::int64_t index = 0;
    int variant = 0;
    std::uint64_t seed = 0;
};

/// Fills a, b and c, whose sizes are set.
template <class T>
void fill(Numbers<T>&, const Recipe&);

/// How a kernel of this class is judged on this data.
Judging judging_of(const ArithmeticClass&, Family) noexcept;
/// The expectation of C := A*B (beta 0) or C := C + A*B (beta 1) of a kernel of this class on this data.
template <class T>
void expect(Expectation<T>& expected, const Numbers<T>& numbers, bool accumulate,
            const ArithmeticClass& arithmetic, Family family) {
    expected.compute(numbers, T(1), T(accumulate ? 1 : 0), arithmetic.muladd, judging_of(arithmetic, family));
}

/// A small generator for choices that need no quality but the same sequence everywhere (splitmix64).
class Chance {
  public:
    explicit Chance(std::uint64_t seed) noexcept : state_(seed) {}
    std::uint64_t next() noexcept {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
    /// 0 .. count-1.
    std::int64_t below(std::int64_t count) noexcept {
        return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(count));
    }

  private:
    std::uint64_t state_;
};

/// 0 .. count-1 in a shuffled order, then again in another one: no choice is left out, and none goes along
/// with a size.
class Deck {
  public:
    Deck(std::int64_t count, std::uint64_t seed);
    std::int64_t draw() noexcept;

  private:
    std::vector<std::int64_t> cards_;
    std::size_t next_;
    Chance chance_;
};

} // namespace tune_gemm::host
