// The oracle against sums done by hand, and the families against what they promise.
#include "conformance/family.hpp"
#include "conformance/oracle.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>

using namespace tune_gemm;
using namespace tune_gemm::host;

namespace {

constexpr ArithmeticClass two_roundings{TG_F64, TG_SEQUENTIAL, TG_TWO_ROUNDINGS};
constexpr ArithmeticClass fused{TG_F64, TG_SEQUENTIAL, TG_FUSED};
constexpr ArithmeticClass reordered{TG_F64, TG_REORDERED, 0};

/// 1 x 1 x k.
Numbers<double> dot(std::vector<double> a, std::vector<double> b, double c) {
    Numbers<double> numbers;
    numbers.resize(1, 1, static_cast<std::int64_t>(a.size()));
    numbers.a = std::move(a), numbers.b = std::move(b), numbers.c = {c};
    return numbers;
}
bool accepts(const Numbers<double>& numbers, double alpha, double beta, const ArithmeticClass& arithmetic,
             double actual) {
    Expectation<double> expected;
    const Judging judging = arithmetic.order == TG_SEQUENTIAL ? Judging::bits : Judging::bound;
    expected.compute(numbers, alpha, beta, arithmetic.muladd, judging);
    return expected.accepts(0, actual);
}

} // namespace

TEST_CASE("a sequential sum is one value, in order") {
    // In order 2^53 + 1 - 2^53 is 0, since 2^53 + 1 rounds to 2^53; any other order gives 1.
    const auto numbers = dot({0x1p53, 1, -0x1p53}, {1, 1, 1}, 5);
    CHECK(accepts(numbers, 1, 0, two_roundings, 0.0));
    CHECK_FALSE(accepts(numbers, 1, 0, two_roundings, -0.0));
    CHECK_FALSE(accepts(numbers, 1, 0, two_roundings, 1.0));
    CHECK_FALSE(accepts(numbers, 1, 0, two_roundings, std::nan("")));
    CHECK(accepts(numbers, 1, 1, two_roundings, 4.0)); // 5 + 2^53 rounds to 2^53 + 4 (to even), + 1 likewise
}

TEST_CASE("fused and two roundings are told apart") {
    const double x = 1 + 0x1p-30; // x*x = 1 + 2^-29 + 2^-60
    const auto numbers = dot({1, x}, {-1 - 0x1p-29, x}, 0);
    CHECK(accepts(numbers, 1, 0, fused, 0x1p-60));
    CHECK(accepts(numbers, 1, 0, two_roundings, 0.0));
    CHECK_FALSE(accepts(numbers, 1, 0, fused, 0.0));
    CHECK_FALSE(accepts(numbers, 1, 0, two_roundings, 0x1p-60));
}

TEST_CASE("alpha goes into b, beta onto c, and zeros exclude") {
    const double nan = std::nan("");
    CHECK(accepts(dot({3}, {5}, 7), 2, -1, two_roundings, 23));
    CHECK(accepts(dot({nan}, {5}, 7), 0, 2, two_roundings, 14));
    CHECK(accepts(dot({3}, {5}, nan), 1, 0, two_roundings, 15));
    CHECK_FALSE(accepts(dot({3}, {5}, nan), 1, 1, two_roundings, 15));
    CHECK(accepts(dot({3}, {5}, nan), 1, 1, two_roundings, nan));
}

TEST_CASE("a reordered sum is held to the componentwise bound, and no further") {
    const auto numbers = dot({0x1p53, 1, -0x1p53}, {1, 1, 1}, 0);
    const double bound = 3 * 0x1p-53 * (0x1p54 + 1);
    CHECK(accepts(numbers, 1, 0, reordered, 0.0));
    CHECK(accepts(numbers, 1, 0, reordered, 1.0));
    CHECK(accepts(numbers, 1, 0, reordered, 1.0 + bound));
    CHECK_FALSE(accepts(numbers, 1, 0, reordered, 1.0 + bound * 1.01));
    CHECK_FALSE(accepts(numbers, 1, 0, reordered, std::nan("")));
    CHECK_FALSE(accepts(numbers, 1, 0, reordered, std::numeric_limits<double>::infinity()));
    // Where nothing is summed nothing may be off.
    CHECK(accepts(dot({}, {}, 3), 1, 1, reordered, 3.0));
    CHECK_FALSE(accepts(dot({}, {}, 3), 1, 1, reordered, std::nextafter(3.0, 4.0)));
}

TEST_CASE("where sums are exact in any order, the value counts, and not the sign of zero") {
    Expectation<double> expected;
    expected.compute(dot({1, 0}, {-0.0, 3}, 0), 1, 0, 0, Judging::values);
    CHECK(expected.accepts(0, 0.0));
    CHECK(expected.accepts(0, -0.0));
    CHECK_FALSE(expected.accepts(0, 0x1p-1074));
    CHECK_FALSE(expected.accepts(0, std::nan("")));
}

TEST_CASE("NaN and infinity are expected just where they belong") {
    const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
    for (const ArithmeticClass& arithmetic : {two_roundings, fused, reordered}) {
        CHECK(accepts(dot({0, infinity}, {1, 0}, 0), 1, 0, arithmetic, nan));
        CHECK_FALSE(accepts(dot({0, infinity}, {1, 0}, 0), 1, 0, arithmetic, 0.0));
        CHECK(accepts(dot({0, infinity}, {1, -2}, 0), 1, 0, arithmetic, -infinity));
        CHECK_FALSE(accepts(dot({0, infinity}, {1, -2}, 0), 1, 0, arithmetic, infinity));
        CHECK_FALSE(accepts(dot({0, infinity}, {1, -2}, 0), 1, 0, arithmetic, nan));
    }
}

TEST_CASE("underflow is completed: a subnormal product may be off by half the smallest number, not by more") {
    const auto numbers = dot({0x1p-540}, {0x1.8p-535}, 0); // 1.5 * 2^-1075: between 0 and 2^-1074
    CHECK(accepts(numbers, 1, 0, reordered, 0x1p-1074));
    CHECK_FALSE(accepts(numbers, 1, 0, reordered, 0x1p-1073));
    CHECK_FALSE(accepts(numbers, 1, 0, reordered, 0.0));
}

TEST_CASE("small integers are all different and their products exact, in single precision too") {
    Numbers<float> numbers;
    numbers.resize(8, 24, 19);
    fill(numbers, {Family::integers, 0, 0, 5});
    std::set<float> magnitudes;
    for (const float value : numbers.a)
        CHECK(magnitudes.insert(std::abs(value)).second);
    double largest = 0;
    for (std::int64_t i = 0; i < numbers.m; ++i) {
        for (std::int64_t j = 0; j < numbers.n; ++j) {
            double sum = std::abs(numbers.at_c(i, j));
            for (std::int64_t l = 0; l < numbers.k; ++l)
                sum += std::abs(double(numbers.at_a(i, l)) * double(numbers.at_b(l, j)));
            largest = std::max(largest, sum);
        }
    }
    CHECK(largest <= 0x1p24);
}

TEST_CASE("a recipe gives the same numbers every time, and a deck leaves nothing out") {
    Numbers<double> first, second;
    first.resize(3, 4, 5), second.resize(3, 4, 5);
    for (int family = 0; family <= static_cast<int>(Family::overflow); ++family) {
        const Recipe recipe{static_cast<Family>(family), 2, 1, 99};
        fill(first, recipe), fill(second, recipe);
        CHECK(std::memcmp(first.a.data(), second.a.data(), first.a.size() * sizeof(double)) == 0);
        CHECK(std::memcmp(first.b.data(), second.b.data(), first.b.size() * sizeof(double)) == 0);
    }
    Deck deck(10, 1);
    for (int round = 0; round < 3; ++round) {
        std::set<std::int64_t> drawn;
        for (int count = 0; count < 10; ++count)
            drawn.insert(deck.draw());
        CHECK(drawn.size() == 10);
    }
}
