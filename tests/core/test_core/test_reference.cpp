#include "errors.hpp"

#include <tune_gemm/matrix.hpp>
#include <tune_gemm/reference.hpp>
#include <tune_gemm/validation.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace tune_gemm;
using test::check_words;
using test::error_of;

namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

std::vector<double> general(const GemmShape& shape, double alpha, const std::vector<double>& a,
                            const std::vector<double>& b, double beta, std::vector<double> c,
                            tg_muladd muladd = TG_TWO_ROUNDINGS) {
    gemm_reference_general<double>(shape, alpha, a, b, beta, c, muladd);
    return c;
}

} // namespace

TEST_CASE("the reference is the textbook triple loop, in every layout and batch") {
    for (int layouts = 0; layouts < 8; ++layouts) {
        const auto layout = [=](int bit) {
            return (layouts >> bit & 1) != 0 ? Layout::column_major : Layout::row_major;
        };
        const GemmShape shape{.m = 4,
                              .n = 3,
                              .k = 5,
                              .batch = 2,
                              .layout_a = layout(0),
                              .layout_b = layout(1),
                              .layout_c = layout(2)};
        const auto a = reproducible_operand(1, shape, Operand::a),
                   b = reproducible_operand(7, shape, Operand::b);
        const auto c = gemm_reference(shape, a, b), fused = gemm_reference_fused(shape, a, b);
        REQUIRE(c.size() == 24);
        for (std::size_t batch = 0; batch < 2; ++batch)
            for (std::size_t i = 0; i < 4; ++i)
                for (std::size_t j = 0; j < 3; ++j) {
                    double sum = 0.0, fused_sum = 0.0;
                    for (std::size_t l = 0; l < 5; ++l) {
                        const double x = a[batch * 20 + (layouts & 1 ? l * 4 + i : i * 5 + l)];
                        const double y = b[batch * 15 + (layouts & 2 ? j * 5 + l : l * 3 + j)];
                        const double product = x * y;
                        sum = sum + product;
                        fused_sum = std::fma(x, y, fused_sum);
                    }
                    const std::size_t at = batch * 12 + (layouts & 4 ? j * 4 + i : i * 3 + j);
                    CHECK(same_bits(c[at], sum));
                    CHECK(same_bits(fused[at], fused_sum));
                    const auto entry = [&](tg_muladd muladd) {
                        return reference_entry<double>(shape, a, b, static_cast<std::int64_t>(batch),
                                                       static_cast<std::int64_t>(i),
                                                       static_cast<std::int64_t>(j), muladd);
                    };
                    CHECK(same_bits(entry(TG_TWO_ROUNDINGS), sum));
                    CHECK(same_bits(entry(TG_FUSED), fused_sum));
                }
    }
}

TEST_CASE("two roundings and one rounding are told apart") {
    const GemmShape shape{.m = 1, .n = 1, .k = 2};
    const std::vector<double> a{-1, 1 + 0x1p-30}, b{1, 1 - 0x1p-30};
    CHECK(gemm_reference(shape, a, b)[0] == 0); // the product rounds to 1
    CHECK(gemm_reference_fused(shape, a, b)[0] == -0x1p-60);
}

TEST_CASE("sums are taken in increasing l from +0") {
    const GemmShape three{.m = 1, .n = 1, .k = 3};
    CHECK(gemm_reference(three, std::vector<double>{0x1p60, 1, -0x1p60}, std::vector<double>{1, 1, 1})[0] ==
          0);
    CHECK(gemm_reference(three, std::vector<double>{0x1p60, -0x1p60, 1}, std::vector<double>{1, 1, 1})[0] ==
          1);
    const GemmShape one{.m = 1, .n = 1, .k = 1};
    const std::vector<double> minus_zero{-0.0}, unit{1};
    CHECK(same_bits(gemm_reference(one, minus_zero, unit)[0], 0.0));
    CHECK(same_bits(reference_entry<double>(one, minus_zero, unit, 0, 0, 0, TG_TWO_ROUNDINGS), 0.0));
    CHECK(same_bits(general(one, 1, minus_zero, unit, 1, {-0.0})[0], -0.0)); // starts from C's -0
    CHECK(std::isnan(gemm_reference(one, {{0.0}}, {{std::numeric_limits<double>::infinity()}})[0]));
}

TEST_CASE("alpha goes into B before the product, beta onto C") {
    const GemmShape shape{.m = 1, .n = 1, .k = 1};
    // (alpha*b) rounds: 3 * 0.1 = 0.30000000000000004, times 10 is 3.0000000000000004; alpha*(a*b) would
    // be 3.
    CHECK(general(shape, 3, {10}, {0.1}, 0, {nan_value})[0] == 10 * (3 * 0.1));
    CHECK(general(shape, 3, {10}, {0.1}, 0, {nan_value})[0] != 3 * (10 * 0.1));
    CHECK(general(shape, 2, {3}, {5}, -0.5, {8})[0] == 26);
    CHECK(general(shape, 1, {0}, {1}, 1, {0.1})[0] == 0.1);
}

TEST_CASE("what is not needed is not read") {
    const GemmShape shape{.m = 2, .n = 2, .k = 2};
    const std::vector<double> nothing, c{1, 2, 3, 4}, wild(4, nan_value);
    CHECK(general(shape, 0, nothing, nothing, 2, c) == std::vector<double>{2, 4, 6, 8});
    CHECK(general(shape, 0, wild, wild, 1, c) == c);
    CHECK(general(shape, 0, nothing, nothing, 0, wild) == std::vector<double>(4));
    CHECK(general(shape, 1, {1, 0, 0, 1}, {1, 2, 3, 4}, 0, wild) == c);
    const GemmShape empty_sum{.m = 2, .n = 2, .k = 0};
    CHECK(general(empty_sum, 1, nothing, nothing, 3, c) == std::vector<double>{3, 6, 9, 12});
    CHECK(gemm_reference(empty_sum, nothing, nothing) == std::vector<double>(4));
    CHECK(gemm_reference({.m = 0, .n = 2, .k = 1}, nothing, std::vector<double>(2)).empty());
}

TEST_CASE("f32 is computed in f32") {
    const GemmShape shape{.m = 1, .n = 1, .k = 2};
    const std::vector<float> a{0x1p24f, 1}, b{1, 1};
    std::vector<float> c{0};
    gemm_reference_general<float>(shape, 1, a, b, 0, c, TG_TWO_ROUNDINGS);
    CHECK(c[0] == 0x1p24f); // a sum in double would be 16777217
    gemm_reference_general<float>(shape, 0.1, a, b, 0, c, TG_FUSED);
    CHECK(c[0] == std::fma(1.0f, 0.1f, 0x1p24f * 0.1f));
    CHECK(reference_entry<float>(shape, a, b, 0, 0, 0, TG_FUSED) == 0x1p24f);
}

TEST_CASE("operands of the wrong length are refused") {
    const GemmShape shape{.m = 2, .n = 3, .k = 4};
    check_words(error_of([&] { gemm_reference(shape, std::vector<double>(7), std::vector<double>(12)); }),
                {"A has 7", "2x3x4", "has 8"});
    check_words(error_of([&] { gemm_reference(shape, std::vector<double>(8), std::vector<double>(13)); }),
                {"B has 13"});
    check_words(error_of([&] {
                    general(shape, 1, std::vector<double>(8), std::vector<double>(12), 0,
                            std::vector<double>(5));
                }),
                {"C has 5"});
}
