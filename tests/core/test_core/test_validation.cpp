#include "errors.hpp"

#include <tune_gemm/validation.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

using namespace tune_gemm;
using test::check_words;
using test::error_of;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double largest = std::numeric_limits<double>::max();
using Values = std::vector<double>;

} // namespace

TEST_CASE("validate_gemm counts what is past the shorter, not finite or too far apart") {
    const auto judge = [](const Values& expected, const Values& actual, double tolerance) {
        return validate_gemm(expected, actual, tolerance);
    };
    CHECK(judge({}, {}, 0).valid);
    CHECK(judge({1, 2}, {1, 2}, 0).valid);
    CHECK(judge({0.0}, {-0.0}, 0).valid);
    GemmValidation result = judge({1, 2, 3}, {1, 2.5, 3.25}, 0.25);
    CHECK_FALSE(result.valid);
    CHECK(result.mismatches == 1);
    CHECK(result.max_abs_error == 0.5);
    result = judge({1, 2, 3}, {1, 2.5, 3.25}, 0.5);
    CHECK(result.valid);
    CHECK(result.max_abs_error == 0.5);
    CHECK(judge({1, 2, 3}, {1}, 9).mismatches == 2);
    CHECK(judge({}, {1, 2, 3}, 9).mismatches == 3);
    CHECK_FALSE(judge({}, {1}, 9).valid);
    for (const double bad : {nan_value, infinity, -infinity}) {
        CHECK(judge({bad}, {1}, 9).mismatches == 1);
        CHECK(judge({1}, {bad}, 9).mismatches == 1);
        CHECK(judge({bad}, {bad}, 9).mismatches == 1); // a pair of the same infinities is no match either
        CHECK(judge({bad, 1}, {bad, 2}, 9).max_abs_error == 1);
    }
    result = judge({largest}, {-largest}, largest); // the difference is no finite number
    CHECK(result.mismatches == 1);
    CHECK(result.max_abs_error == 0);
}

TEST_CASE("a tolerance that is none is never passed") {
    for (const double tolerance :
         {nan_value, infinity, -infinity, -1.0, -std::numeric_limits<double>::denorm_min()}) {
        CAPTURE(tolerance);
        for (const Values& values : {Values{}, Values{1}, Values{1, 2, 3}}) {
            const auto result = validate_gemm(values, values, tolerance);
            CHECK_FALSE(result.valid);
            CHECK(result.mismatches >= 1);
        }
    }
    CHECK(validate_gemm(Values{1}, Values{1}, -0.0).valid);
}

TEST_CASE("gamma and the absolute bound") {
    CHECK(gamma(0, TG_F64) == 0);
    CHECK(gamma(1, TG_F64) == doctest::Approx(0x1p-53).epsilon(1e-12));
    CHECK(gamma(1, TG_F64) > 0x1p-53);
    CHECK(gamma(1 << 23, TG_F32) == 1); // k*u = 1/2
    CHECK(gamma(1 << 24, TG_F32) == infinity);
    CHECK(absolute_bound(64, TG_F32) == 2 * (64 * 0x1p-24 / (1 - 64 * 0x1p-24)) * 64);
    CHECK(gamma(std::int64_t{1} << 53, TG_F64) == infinity);
    CHECK(gamma(std::numeric_limits<std::int64_t>::max(), TG_F64) == infinity);
    CHECK(absolute_bound(64, TG_F64) == doctest::Approx(9.1e-13).epsilon(0.002));
    CHECK(absolute_bound(64, TG_F64) == doctest::Approx(2 * 64 * 64 * 0x1p-53).epsilon(1e-10));
    check_words(error_of([] { gamma(1, TG_BF16); }), {"bf16"});
}

TEST_CASE("the componentwise bound: its parts, and never below the formula") {
    const auto bound = [](std::int64_t k, double sum, double alpha = 1, double beta = 0, double c = 0,
                          tg_dtype dtype = TG_F64) {
        return componentwise_bound(k, sum, alpha, beta, c, dtype);
    };
    CHECK(bound(64, 10) == doctest::Approx(gamma(64, TG_F64) * 10).epsilon(1e-12));
    CHECK(bound(64, 10) >= gamma(64, TG_F64) * 10);
    CHECK(bound(64, 10, -2) == doctest::Approx(gamma(66, TG_F64) * 20).epsilon(1e-12));
    CHECK(bound(64, 10, 1, 0.5, 3) == doctest::Approx(gamma(66, TG_F64) * 11.5).epsilon(1e-12));
    CHECK(bound(64, 10, 1, -0.5, 3, TG_F32) == doctest::Approx(gamma(66, TG_F32) * 11.5).epsilon(1e-12));
    CHECK(bound(5, 10, 2, 0, nan_value) == doctest::Approx(gamma(7, TG_F64) * 20)); // beta = 0: c is not read
    // Underflow: half of the smallest subnormal a product, rounded up to what a double holds.
    const double smallest = std::numeric_limits<double>::denorm_min();
    CHECK(bound(1, 0) == smallest);
    CHECK(bound(3, 0) == 2 * smallest);
    CHECK(bound(1000, 0) == 501 * smallest); // 500 and the part of 1 + gamma
    CHECK(bound(3, 0, 1, 0, 0, TG_F32) == doctest::Approx(3 * 0x1p-150));
    CHECK(bound(0, 0) == 0);
    CHECK(bound(std::int64_t{1} << 60, 1) == infinity);
    CHECK(std::isnan(bound(2, nan_value)));
}

TEST_CASE("same bits: signs of zero differ, NaNs do not") {
    CHECK(same_bits(1.0, 1.0));
    CHECK_FALSE(same_bits(0.0, -0.0));
    CHECK_FALSE(same_bits(0.0f, -0.0f));
    CHECK(same_bits(nan_value, -nan_value));
    CHECK(same_bits(nan_value, std::numeric_limits<double>::signaling_NaN()));
    CHECK_FALSE(same_bits(nan_value, infinity));
    CHECK_FALSE(same_bits(1.0, nan_value));
    CHECK_FALSE(same_bits(1.0, std::nextafter(1.0, 2.0)));
    CHECK_FALSE(same_bits(1.0f, std::nextafter(1.0f, 2.0f)));
}

TEST_CASE("a difference is told in one sentence") {
    CHECK(to_text(Difference{
              .batch = 0, .i = 3, .j = 5, .expected = 0.5, .actual = -1.25, .error = 1.75, .bound = 0}) ==
          "C(3,5) of batch 0 is -1.25, expected 0.5: off by 1.75, allowed 0");
    CHECK(to_text(Difference{
              .batch = 2, .i = 0, .j = 0, .expected = 0.0, .actual = -0.0, .error = 0, .bound = 0}) ==
          "C(0,0) of batch 2 is -0, expected 0: the sign of zero differs");
    Judgement judgement;
    judgement.compared = 4096;
    CHECK(compared_text(judgement) == "all 4096 entries");
    judgement.sampled = true;
    CHECK(compared_text(judgement) == "sampled 4096");
}
