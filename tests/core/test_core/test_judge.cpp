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

constexpr ArithmeticClass plain{TG_F64, TG_SEQUENTIAL, TG_TWO_ROUNDINGS};
constexpr ArithmeticClass fused{TG_F64, TG_SEQUENTIAL, TG_FUSED};
constexpr ArithmeticClass reordered{TG_F64, TG_REORDERED, 0};
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

const GemmCandidate blocks{.mc = 64, .nc = 96, .kc = 64, .mr = 4, .nr = 3, .microkernel_id = "scalar"};

template <class T>
Judgement judge(const GemmShape& shape, const std::vector<T>& a, const std::vector<T>& b,
                const std::vector<T>& c, const ArithmeticClass& arithmetic,
                const std::vector<T>& reference = {}) {
    return judge_product<T>(shape, a, b, c, arithmetic, blocks, 42, reference);
}

struct Product {
    GemmShape shape;
    std::vector<double> a = reproducible_operand(1, shape, Operand::a),
                        b = reproducible_operand(2, shape, Operand::b);
    std::vector<double> c = gemm_reference(shape, a, b);

    Judgement judged(const ArithmeticClass& arithmetic) const { return judge(shape, a, b, c, arithmetic); }
};

/// One entry of k terms.
Judgement judge_sum(const std::vector<double>& a, const std::vector<double>& b, double c,
                    const ArithmeticClass& arithmetic = reordered) {
    const GemmShape shape{.m = 1, .n = 1, .k = static_cast<std::int64_t>(a.size())};
    return judge<double>(shape, a, b, {c}, arithmetic);
}

} // namespace

TEST_CASE("a sequential class is held to the bits of its own reference") {
    Product p{{.m = 7, .n = 5, .k = 33, .batch = 2, .layout_c = Layout::column_major}};
    Judgement verdict = p.judged(plain);
    CHECK(verdict.correct);
    CHECK(verdict.compared == 70);
    CHECK_FALSE(verdict.sampled);
    CHECK(verdict.wrong == 0);
    CHECK(verdict.bound == 0);
    CHECK_FALSE(verdict.first);
    CHECK_FALSE(p.judged(fused).correct); // the classes do differ on such data
    p.c = gemm_reference_fused(p.shape, p.a, p.b);
    CHECK(p.judged(fused).correct);
    CHECK_FALSE(p.judged(plain).correct);
}

TEST_CASE("one wrong bit anywhere is found and told where") {
    Product p{{.m = 7, .n = 5, .k = 33, .batch = 2, .layout_c = Layout::column_major}};
    for (std::size_t at = 0; at < p.c.size(); ++at) {
        const double right = p.c[at];
        p.c[at] = std::nextafter(right, 9);
        const Judgement verdict = p.judged(plain);
        CHECK_FALSE(verdict.correct);
        CHECK(verdict.wrong == 1);
        CHECK(verdict.max_abs_error == std::fabs(p.c[at] - right));
        REQUIRE(verdict.first);
        CHECK(verdict.first->batch * 35 + verdict.first->j * 7 + verdict.first->i ==
              static_cast<std::int64_t>(at));
        CHECK(verdict.first->expected == right);
        p.c[at] = right;
    }
    for (const double wrong : {nan_value, infinity, -infinity}) {
        p.c[11] = wrong;
        CHECK_FALSE(p.judged(plain).correct);
        CHECK_FALSE(p.judged(reordered).correct);
    }
}

TEST_CASE("bits: a zero's sign counts, a NaN's payload does not") {
    CHECK(judge_sum({0}, {1}, 0.0, plain).correct);
    CHECK_FALSE(judge_sum({0}, {1}, -0.0, plain).correct);
    CHECK_FALSE(judge_sum({-0.0}, {1}, -0.0, plain).correct);
    CHECK(judge_sum({0}, {infinity}, -nan_value, plain).correct);
    CHECK_FALSE(judge_sum({0}, {infinity}, 0, plain).correct);
    CHECK(judge_sum({}, {}, 0.0, plain).correct);
    CHECK_FALSE(judge_sum({}, {}, 1.0, plain).correct);
}

TEST_CASE("a reference computed before is used instead of computing it") {
    const Product p{{.m = 3, .n = 3, .k = 3}};
    std::vector<double> other = p.c;
    other[4] += 1;
    CHECK(judge(p.shape, p.a, p.b, p.c, plain, p.c).correct);
    CHECK(judge(p.shape, p.a, p.b, p.c, plain, other).wrong == 1);
}

TEST_CASE("any order of summation passes the componentwise bound; a little more does not") {
    std::vector<double> a = reproducible_matrix(3, 1, 200, Layout::row_major),
                        b = reproducible_matrix(4, 1, 200, Layout::row_major);
    double backwards = 0, magnitude = 0;
    for (std::size_t l = 200; l-- > 0;) {
        backwards += a[l] * b[l];
        magnitude += std::fabs(a[l] * b[l]);
    }
    const double bound = componentwise_bound(200, magnitude, 1, 0, 0, TG_F64);
    const Judgement verdict = judge_sum(a, b, backwards);
    CHECK(verdict.correct);
    CHECK(verdict.bound == doctest::Approx(bound).epsilon(0.002));
    CHECK_FALSE(
        judge_sum(a, b, backwards, plain).correct); // which shows that the order does change bits here
    for (const double sign : {-1.0, 1.0}) {
        CHECK(judge_sum(a, b, backwards + sign * 0.9 * bound).correct);
        const Judgement wrong = judge_sum(a, b, backwards + sign * 1.2 * bound);
        CHECK_FALSE(wrong.correct);
        REQUIRE(wrong.first);
        CHECK(wrong.first->error > wrong.first->bound);
    }
    CHECK_FALSE(judge_sum(a, b, nan_value).correct);
    CHECK_FALSE(judge_sum(a, b, infinity).correct);
}

TEST_CASE("the bound is that of the entry: a small row is not excused by a large one") {
    const GemmShape shape{.m = 2, .n = 1, .k = 2};
    const std::vector<double> a{0x1p200, 0x1p200, 0x1p-200, 0x1p-200}, b{1, 1};
    CHECK(judge<double>(shape, a, b, {0x1p201, 0x1p-199}, reordered).correct);
    const Judgement verdict = judge<double>(shape, a, b, {0x1p201, 0x1p-199 * (1 + 0x1p-30)}, reordered);
    CHECK(verdict.wrong == 1);
    CHECK(verdict.first->i == 1);
}

TEST_CASE("subnormal products, overflow and infinities of reordered sums") {
    // 0.75 of the smallest subnormal rounds to it; three such products may sum to 3 where 2.25 is exact.
    const double factor = std::ldexp(0.75, -537), other = std::ldexp(1.0, -537);
    const double smallest = std::numeric_limits<double>::denorm_min();
    CHECK(factor * other == smallest);
    CHECK(judge_sum({factor, factor, factor}, {other, other, other}, 3 * smallest).correct);
    CHECK_FALSE(judge_sum({factor, factor, factor}, {other, other, other}, 5 * smallest).correct);
    // max + max - max is max in one order and infinite in another: both are right.
    const double largest = std::numeric_limits<double>::max();
    CHECK(judge_sum({1, 1, -1}, {largest, largest, largest}, largest).correct);
    CHECK(judge_sum({1, 1, -1}, {largest, largest, largest}, infinity).correct);
    CHECK_FALSE(judge_sum({1, 1, -1}, {largest, largest, largest}, 0).correct);
    CHECK(judge_sum({1, 1}, {infinity, 1}, infinity).correct);
    CHECK_FALSE(judge_sum({1, 1}, {infinity, 1}, -infinity).correct);
    CHECK_FALSE(judge_sum({1, 1}, {infinity, 1}, nan_value).correct);
    CHECK(judge_sum({1, 1}, {infinity, -infinity}, nan_value).correct);
    CHECK_FALSE(judge_sum({1, 1}, {nan_value, 1}, 1).correct);
}

TEST_CASE("f32 products are judged as f32") {
    const GemmShape shape{.m = 3, .n = 4, .k = 50};
    const auto a = to_f32(reproducible_operand(1, shape, Operand::a)),
               b = to_f32(reproducible_operand(2, shape, Operand::b));
    std::vector<float> c(12);
    gemm_reference_general<float>(shape, 1, a, b, 0, c, TG_FUSED);
    CHECK(judge(shape, a, b, c, {TG_F32, TG_SEQUENTIAL, TG_FUSED}).correct);
    const Judgement loose = judge(shape, a, b, c, {TG_F32, TG_REORDERED, 0});
    CHECK(loose.correct);
    CHECK(loose.bound > 0x1p-24);
    c[5] += static_cast<float>(3 * loose.bound);
    CHECK(judge(shape, a, b, c, {TG_F32, TG_REORDERED, 0}).wrong == 1);
    CHECK(judge(shape, a, b, c, {TG_F32, TG_SEQUENTIAL, TG_FUSED}).wrong == 1);
    check_words(error_of([&] { judge(shape, a, b, c, plain); }), {"f64 sequential two-roundings"});
}

TEST_CASE("products without entries are right, operands of wrong length are refused") {
    CHECK(judge<double>({.m = 0, .n = 3, .k = 2}, {}, std::vector<double>(6), {}, plain).correct);
    const std::vector<double> four(4), three(3);
    const GemmShape shape{.m = 2, .n = 2, .k = 2};
    check_words(error_of([&] { judge(shape, three, four, four, plain); }), {"A has 3"});
    check_words(error_of([&] { judge(shape, four, three, four, plain); }), {"B has 3"});
    check_words(error_of([&] { judge(shape, four, four, three, plain); }), {"C has 3"});
    check_words(error_of([&] { judge(shape, four, four, four, plain, three); }), {"C has 3"});
}

TEST_CASE(
    "above 2^27 multiply-adds seeded entries are compared, and every kind of blocking fault is among them") {
    // A and B hold zeros, so C does as well, and the large product need not be computed.
    const GemmShape shape{.m = 517, .n = 514, .k = 512};
    REQUIRE(multiply_adds(shape) > full_comparison_limit);
    const std::vector<double> a(static_cast<std::size_t>(517 * 512)), b(static_cast<std::size_t>(512 * 514));
    std::vector<double> c(static_cast<std::size_t>(517 * 514));
    const Judgement right = judge(shape, a, b, c, plain);
    CHECK(right.correct);
    CHECK(right.sampled);
    CHECK(right.compared > 50);
    CHECK(right.compared < 2000);
    CHECK(judge(shape, a, b, c, reordered).correct);

    // Faults: all entries of one residue class, of one row or column beside a block edge, of the last ones.
    const auto planted = [&](auto&& is_wrong) {
        std::vector<double> spoilt = c;
        for (std::int64_t i = 0; i < shape.m; ++i)
            for (std::int64_t j = 0; j < shape.n; ++j)
                if (is_wrong(i, j))
                    spoilt[static_cast<std::size_t>(i * shape.n + j)] = 1e-300;
        const Judgement verdict = judge(shape, a, b, spoilt, plain);
        return !verdict.correct && verdict.first && is_wrong(verdict.first->i, verdict.first->j);
    };
    for (std::int64_t row = 0; row < 4; ++row)
        for (std::int64_t column = 0; column < 3; ++column)
            CHECK(planted([=](std::int64_t i, std::int64_t j) { return i % 4 == row && j % 3 == column; }));
    for (const std::int64_t edge : {63, 64, 448, 511, 512, 516})
        CHECK(planted([=](std::int64_t i, std::int64_t) { return i == edge; }));
    for (const std::int64_t edge : {95, 96, 479, 480, 513})
        CHECK(planted([=](std::int64_t, std::int64_t j) { return j == edge; }));
}
