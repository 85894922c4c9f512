#include "measure/statistics.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace tune_gemm::host;

TEST_CASE("the median is the middle value or the mean of the two middle ones, in any order") {
    CHECK(median(std::vector{5.0, 1.0, 3.0}) == 3);
    CHECK(median(std::vector{4.0, 1.0, 3.0, 2.0}) == 2.5);
    CHECK(median(std::vector{7.0}) == 7);
    CHECK(std::isnan(median({})));
}

TEST_CASE("quantiles are linear between neighbours") {
    const std::vector<double> values{10, 20, 30, 40, 50};
    CHECK(quantile(values, 0) == 10);
    CHECK(quantile(values, 1) == 50);
    CHECK(quantile(values, 0.25) == 20);
    CHECK(quantile(values, 0.375) == 25);
}

TEST_CASE("the median absolute deviation shrugs at one wild value") {
    CHECK(median_absolute_deviation(std::vector{1.0, 2.0, 3.0, 4.0, 1000.0}) == 1);
    CHECK(std::isnan(median_absolute_deviation({})));
}

TEST_CASE("the interval of the median is a pair of order statistics with at least the coverage asked for") {
    std::vector<double> values;
    for (int i = 12; i >= 1; --i)
        values.push_back(i);
    // 12 values: ranks 3 and 10, coverage 1 - 2 (1 + 12 + 66)/4096.
    const MedianInterval interval = median_interval(values);
    CHECK(interval.low == 3);
    CHECK(interval.high == 10);
    CHECK(interval.coverage == doctest::Approx(1 - 2 * 79.0 / 4096));
    CHECK(interval.relative_half_width(6.5) == doctest::Approx(3.5 / 6.5));
    // A lower level gives a narrower pair.
    CHECK(median_interval(values, 0.8).low == 4);
}

TEST_CASE("with too few values for the level, the interval is the whole range and says its coverage") {
    const MedianInterval interval = median_interval(std::vector{3.0, 1.0, 2.0});
    CHECK(interval.low == 1);
    CHECK(interval.high == 3);
    CHECK(interval.coverage == doctest::Approx(0.75));
    CHECK(median_interval(std::vector{3.0}).coverage == 0);
    CHECK(median_interval({}).coverage == 0);
}

TEST_CASE("fractions are written as percent with two or three figures") {
    CHECK(percent_text(0.015) == "1.5 %");
    CHECK(percent_text(0.0031) == "0.31 %");
    CHECK(percent_text(1.234) == "123 %");
}
