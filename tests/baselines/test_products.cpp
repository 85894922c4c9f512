// Results: layouts, leading dimensions, scalars, batches, sizes.
#include "product.hpp"

#include <doctest/doctest.h>

#include <array>
#include <tuple>

using namespace tune_gemm;
using namespace tune_gemm::baselines_test;

namespace {

/// What the generator of libxsmm serves: alpha = 1, beta = 0 or 1, and the factor that is first by columns
/// lying as C does. A product that reads neither A nor B does not come to it.
bool served(const Baseline& baseline, const Product& p, int layouts) {
    if (baseline.library() != "libxsmm" || p.m == 0 || p.n == 0 || p.k == 0 || p.batch == 0 || p.alpha == 0)
        return true;
    const bool a_by_columns = (layouts & 1) != 0, b_by_columns = (layouts & 2) != 0,
               c_by_columns = (layouts & 4) != 0;
    const bool lies_along = c_by_columns ? a_by_columns : !b_by_columns;
    return p.alpha == 1 && (p.beta == 0 || p.beta == 1) && lies_along;
}

void check(const Baseline& baseline, const Product& p, int layouts) {
    const Verdict verdict = multiply(baseline, p);
    CAPTURE(baseline.id);
    CAPTURE(text_of(p));
    if (served(baseline, p, layouts)) {
        CHECK(verdict.status == TG_OK);
        CHECK(verdict.sentence == "");
    } else {
        CHECK(verdict.status == TG_UNSUPPORTED);
        CHECK(verdict.sentence != "");
    }
}

} // namespace

TEST_CASE("every library that was built is there") {
    REQUIRE(!baselines().empty());
    for (const Baseline& baseline : baselines())
        MESSAGE(baseline.id);
}

TEST_CASE("eight layouts, tight and padded, alone and in a batch, with every scalar") {
    for (const Baseline& baseline : baselines())
        for (int layouts = 0; layouts < 8; ++layouts)
            for (const std::int64_t pad : {0, 1})
                for (const std::int64_t batch : {1, 3})
                    for (const double alpha : {0.0, 1.0, -1.0, 0.7})
                        for (const double beta : {0.0, 1.0, -1.0, 0.7}) {
                            Product p = product_of(19, 13, 11, layouts, pad, batch);
                            p.alpha = alpha, p.beta = beta;
                            check(baseline, p, layouts);
                        }
}

TEST_CASE("sizes around those of vectors, tiles and blocks") {
    for (const Baseline& baseline : baselines())
        for (const auto [m, n, k] : {std::array<std::int64_t, 3>{2, 3, 4},
                                     {8, 8, 8},
                                     {9, 16, 7},
                                     {16, 6, 17},
                                     {33, 31, 65},
                                     {64, 64, 64},
                                     {65, 129, 33},
                                     {48, 257, 20},
                                     {257, 48, 300},
                                     {150, 130, 520}})
            for (int layouts = 0; layouts < 8; ++layouts)
                for (const double beta : {0.0, 1.0}) {
                    Product p = product_of(m, n, k, layouts, 1);
                    p.beta = beta;
                    check(baseline, p, layouts);
                }
}

TEST_CASE("zero extents: nothing, or beta*C") {
    for (const Baseline& baseline : baselines())
        for (const std::int64_t m : {0, 1, 5})
            for (const std::int64_t n : {0, 1, 5})
                for (const std::int64_t k : {0, 1, 5})
                    for (const std::int64_t batch : {0, 1, 2})
                        for (const double beta : {0.0, 1.0, 0.7}) {
                            Product p = product_of(m, n, k, 0, 2, batch);
                            p.beta = beta;
                            check(baseline, p, 0);
                        }
}

TEST_CASE("an operand shared by a whole batch") {
    for (const Baseline& baseline : baselines())
        for (const bool share_a : {true, false}) {
            Product p = product_of(9, 7, 5, 0, 1, 3);
            (share_a ? p.a : p.b).batch = 0;
            check(baseline, p, 0);
        }
}

TEST_CASE("one row, one column, one of both: the stride that is not taken may be anything") {
    for (const Baseline& baseline : baselines())
        for (const std::int64_t m : {1, 6})
            for (const std::int64_t n : {1, 7})
                for (const std::int64_t k : {1, 5}) {
                    Product p = product_of(m, n, k, 0, 0);
                    for (const auto& [rows, columns, strides] :
                         {std::tuple{m, k, &p.a}, std::tuple{k, n, &p.b}, std::tuple{m, n, &p.c}}) {
                        if (rows == 1)
                            strides->row = 0;
                        if (columns == 1)
                            strides->column = -3;
                    }
                    check(baseline, p, 0);
                }
}
