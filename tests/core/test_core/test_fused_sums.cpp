#include "fused_sums.hpp"

#include <tune_gemm/validation.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace tune_gemm;

namespace {

/// Any bits at all, most of them with an exponent near 0 so that sums cancel and round; besides subnormal
/// numbers, infinities, NaN and signed zeros.
template <class T>
std::vector<T> awkward(std::size_t count, std::mt19937_64& random) {
    using Limits = std::numeric_limits<T>;
    const T special[] = {T(0),          -T(0),         Limits::denorm_min(), -Limits::denorm_min(),
                         Limits::min(), Limits::max(), Limits::infinity(),   Limits::quiet_NaN()};
    std::vector<T> values(count);
    for (T& value : values) {
        const std::uint64_t draw = random();
        if (draw % 16 == 0)
            value = special[random() % 8];
        else if (draw % 16 < 4)
            value = static_cast<T>(std::ldexp(static_cast<double>(random() >> 11),
                                              static_cast<int>(draw % 7) - Limits::digits - 1022));
        else
            value = static_cast<T>(static_cast<double>(static_cast<std::int64_t>(random())) * 0x1p-63);
    }
    return values;
}

template <class T>
std::int64_t differing(const std::vector<T>& x, const std::vector<T>& y) {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        count += same_bits(x[i], y[i]) ? 0 : 1;
    return count;
}

} // namespace

TEST_CASE_TEMPLATE("the fused sums by the processor's instruction have the bits of std::fma", T, double,
                   float) {
    const FusedSums<T>* const fast = fused_sums_by_instruction<T>();
    if (fast == nullptr) {
        MESSAGE("NOT RUN: no fma instruction besides the portable one here.");
        return;
    }
    CHECK(&fused_sums<T>() == fast);
    const FusedSums<T>& portable = fused_sums_portable<T>();
    std::mt19937_64 random(sizeof(T));
    std::int64_t rounded = 0;
    for (std::int64_t n = 0; n <= 50; ++n) {
        const auto count = static_cast<std::size_t>(n);
        std::vector<T> by_instruction = awkward<T>(count, random), by_call = by_instruction, plain = by_call;
        for (int step = 0; step < 40; ++step) {
            const std::vector<T> row = awkward<T>(count, random);
            const T x = awkward<T>(1, random)[0];
            if (step % 8 == 0) // after infinities and NaN nothing else would be seen
                by_instruction = by_call = plain = awkward<T>(count, random);
            fast->add_row(x, row.data(), by_instruction.data(), n);
            portable.add_row(x, row.data(), by_call.data(), n);
            CHECK(differing(by_instruction, by_call) == 0);
            for (std::size_t j = 0; j < count; ++j)
                plain[j] = plain[j] + x * row[j];
        }
        rounded += differing(by_call, plain);
        const std::vector<T> a = awkward<T>(2 * count + 1, random), b = awkward<T>(3 * count + 1, random);
        CHECK(same_bits(fast->dot(a.data(), 2, b.data(), 3, n), portable.dot(a.data(), 2, b.data(), 3, n)));
    }
    CHECK(rounded > 100); // or the data would not tell one rounding from two
}

TEST_CASE_TEMPLATE("the portable fused sums are those of std::fma in increasing order", T, double, float) {
    std::mt19937_64 random(7);
    const std::vector<T> a = awkward<T>(60, random), b = awkward<T>(90, random);
    for (std::int64_t k = 0; k <= 30; ++k) {
        T sum = 0;
        for (std::int64_t l = 0; l < k; ++l)
            sum = std::fma(a[static_cast<std::size_t>(2 * l)], b[static_cast<std::size_t>(3 * l)], sum);
        CHECK(same_bits(fused_sums_portable<T>().dot(a.data(), 2, b.data(), 3, k), sum));
    }
    std::vector<T> sums(a.begin(), a.begin() + 40), expected = sums;
    fused_sums_portable<T>().add_row(b[1], b.data(), sums.data(), 39);
    for (std::size_t j = 0; j < 39; ++j)
        expected[j] = std::fma(b[1], b[j], expected[j]);
    CHECK(differing(sums, expected) == 0);
}
