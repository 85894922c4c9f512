#include "tuning.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace tune_gemm;
using namespace tune_gemm::host;
using namespace tune_gemm::host::test;

TEST_CASE("the same seed gives the same run, another seed another order") {
    const auto run = [](std::uint64_t seed) {
        Tuning tuning;
        tuning.settings.seed = seed;
        tuning.tune({a, b, c, d});
        return tuning.measurer.log;
    };
    CHECK(run(1) == run(1));
    CHECK(run(1) != run(2));
    // Exploring is shuffled, not only confirming.
    const auto explored = [](std::uint64_t seed) {
        Tuning tuning;
        tuning.settings.seed = seed;
        std::vector<std::string> ids, order;
        for (int i = 0; i < 12; ++i)
            ids.push_back(id_of(32 + 4 * i, 32, 32));
        tuning.tune(ids);
        for (const std::string& event : tuning.recorder.events)
            if (event.rfind("observed", 0) == 0 && event.substr(event.size() - 7) == "explore")
                order.push_back(event);
        CHECK(order.size() == 12);
        return order;
    };
    CHECK(explored(1) != explored(2));
}

TEST_CASE("the promising are explored first, in their order, and then the tiles that have done best") {
    const std::string e = id_of(64, 64, 64, 8, 8), f = id_of(32, 32, 32, 8, 8), g = id_of(32, 32, 32, 2, 2);
    for (const std::uint64_t seed : {1, 2, 3}) {
        Tuning tuning;
        tuning.settings.seed = seed;
        tuning.settings.first_ids = {c, "an id that is not there", e};
        tuning[c].times = {1100};
        tuning[e].times = {1000};
        tuning[b].times = {900}; // explored late, so its tile is not the best by then
        tuning.tune({a, b, g, f, c, e});
        std::vector<std::string> order;
        for (const std::string& event : tuning.recorder.events)
            if (event.rfind("observed", 0) == 0 && event.substr(event.size() - 7) == "explore")
                order.push_back(event.substr(9, event.rfind(' ') - 9));
        REQUIRE(order.size() == 6);
        CHECK(std::vector(order.begin(), order.begin() + 3) == std::vector{c, e, f});
        CHECK(std::set(order.begin() + 3, order.begin() + 5) == std::set{a, b});
        CHECK(order.back() == g); // a tile of which nothing is known
    }
}

TEST_CASE("the sound default is a finalist, though exploring has favoured others, but not when it is slow") {
    for (const double ns : {1900, 2100}) {
        Tuning tuning;
        tuning.settings.first_ids = {d};
        tuning.settings.finalists = 2;
        tuning.measurer.kernels[a].times = {1000, 2000};
        tuning.measurer.kernels[b].times = {1010, 2000};
        tuning.measurer.kernels[c].times = {1020, 2000};
        tuning.measurer.kernels[d].times = {ns};
        const ShapeResult result = tuning.tune({a, b, c, d});
        REQUIRE(result.winning() != nullptr);
        CHECK(result.winning()->distinct.id == (ns < 2000 ? d : a));
        CHECK(standing(result, c).confirmation.empty());
    }
}

TEST_CASE("near ties go to the sound default, which is the first of the promising") {
    for (const std::string& sound : {a, b}) {
        Tuning tuning;
        tuning[a].times = {1010}; // 24 KiB
        tuning[b].times = {1000}; // 64 KiB
        tuning.settings.first_ids = {sound, sound == a ? b : a};
        CHECK(tuning.tune({a, b, d}).winning()->distinct.id == sound);
    }
}
