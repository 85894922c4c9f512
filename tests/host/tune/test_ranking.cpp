#include "tune/ranking.hpp"

#include <doctest/doctest.h>

using namespace tune_gemm::host;

TEST_CASE("the smallest median wins where it is clearly the smallest") {
    const Ranking ranking = rank_contenders({{100, 10, "a"}, {90, 1000, "b"}, {110, 1, "c"}}, 0.015);
    CHECK(ranking.winner == 1);
    CHECK(ranking.equivalent.empty());
    CHECK(ranking.order == std::vector<std::size_t>{1, 0, 2});
}

TEST_CASE("near ties go to the smaller workspace") {
    const Ranking ranking =
        rank_contenders({{100, 500, "a"}, {101, 400, "b"}, {101.4, 400, "c"}, {102, 1, "d"}}, 0.015);
    CHECK(ranking.winner == 1);
    CHECK(ranking.equivalent == std::vector<std::size_t>{0, 2});
    CHECK(ranking.order == std::vector<std::size_t>{1, 0, 2, 3});
}

TEST_CASE("near ties of the same workspace go to the smaller id") {
    CHECK(rank_contenders({{100, 400, "b"}, {101, 400, "a"}}, 0.015).winner == 1);
    CHECK(rank_contenders({{101, 400, "a"}, {100, 400, "b"}}, 0.015).winner == 0);
    CHECK(rank_contenders({{100, 400, "b"}, {100, 400, "a"}}, 0).winner == 1);
}

TEST_CASE("near ties go to a sound contender before all, but not what is outside the band") {
    CHECK(rank_contenders({{100, 1, "a"}, {101, 400, "b", true}}, 0.015).winner == 1);
    CHECK(rank_contenders({{101, 400, "b", true}, {100, 1, "a"}}, 0.015).winner == 0);
    CHECK(rank_contenders({{100, 1, "a"}, {102, 400, "b", true}}, 0.015).winner == 0);
}

TEST_CASE("the band reaches from the smallest median, not from neighbour to neighbour") {
    const Ranking ranking = rank_contenders({{100, 3, "a"}, {101, 2, "b"}, {102, 1, "c"}}, 0.015);
    CHECK(ranking.winner == 1);
    CHECK(ranking.equivalent == std::vector<std::size_t>{0});
}
