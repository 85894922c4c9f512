#include "tuning.hpp"

#include <tune_gemm/grid.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace tune_gemm;
using namespace tune_gemm::host;
using namespace tune_gemm::host::test;

TEST_CASE("the budget is a hard deadline, and a share of it is kept for confirming") {
    Tuning tuning;
    tuning.settings.budget_ns = 1'000'000'000;
    tuning.measurer.validate_ns = 2'000'000; // 162 candidates would take 3 s
    const Selection grid =
        select_candidates(enumerate_gemm_candidates(), shape, default_grid_limit, builtin_catalogue());
    const ShapeResult result = tuning.tune(grid);
    CHECK(result.elapsed_ns <= tuning.settings.budget_ns);
    CHECK(result.budget_spent);
    CHECK(result.count(Fate::not_reached) > 100);
    CHECK(result.count(Fate::not_reached) < 162);
    CHECK(result.outcome == TuneOutcome::tuned);
    CHECK(!result.winning()->published.empty());
    CHECK(tuning.recorder.progresses.back().left_ns >= 0);
    CHECK(tuning.measurer.late_calls == 0);
}

TEST_CASE("with little time left, fewer finalists are confirmed rather than none well") {
    Tuning tuning;
    // Four samples of 50 to 65 ms leave 0.97 s; a round of four with their warm-ups takes 0.46 s, of two 0.21
    // s.
    tuning.settings.budget_ns = 1'200'000'000;
    tuning.measurer.validate_ns = 0;
    for (int i = 0; i < 4; ++i)
        tuning[std::vector{a, b, c, d}[static_cast<std::size_t>(i)]].times = {
            50e6 + 5e6 * i}; // 50 ms and more a use
    const ShapeResult result = tuning.tune({a, b, c, d});
    CHECK(result.elapsed_ns <= tuning.settings.budget_ns);
    CHECK(result.outcome == TuneOutcome::tuned);
    CHECK(result.winning()->distinct.id == a);
    CHECK(result.finalists.size() == 2);
    for (const std::size_t i : result.finalists)
        CHECK(result.standings[i].confirmation.size() >= 3);
    CHECK(result.budget_spent);
}

TEST_CASE("no time for a fresh sample: a best that was seen, but no figure to publish") {
    Tuning tuning;
    tuning.settings.budget_ns = 100'000'000;
    tuning.measurer.validate_ns = 0;
    tuning.measurer.usual.times = {60e6};
    const ShapeResult result = tuning.tune({a, b});
    CHECK(result.outcome == TuneOutcome::unconfirmed);
    CHECK(result.winning() != nullptr);
    CHECK(std::isnan(result.gflops()));
    CHECK(result.budget_spent);
}

TEST_CASE("no time for anything: no winner, and nobody is said to have failed") {
    Tuning tuning;
    tuning.settings.budget_ns = 100'000;
    const ShapeResult result = tuning.tune({a, b});
    CHECK(result.outcome == TuneOutcome::no_time);
    CHECK(!result.winner);
    CHECK(result.count(Fate::not_reached) == 2);
    CHECK(result.count(Fate::failed) == 0);
    CHECK(result.elapsed_ns <= tuning.settings.budget_ns);
    CHECK(tuning.measurer.late_calls == 0);
}

TEST_CASE("an interruption while exploring ends with what was measured") {
    Tuning tuning;
    tuning.measurer.interrupt_after = 2;
    const ShapeResult result = tuning.tune({a, b, c, d});
    CHECK(result.interrupted);
    CHECK(tuning.measurer.sampled == 2);
    CHECK(result.outcome == TuneOutcome::unconfirmed);
    CHECK(result.winning() != nullptr);
    CHECK(result.count(Fate::not_reached) == 2);
}

TEST_CASE("an interruption while confirming ranks what was confirmed") {
    Tuning tuning;
    tuning.measurer.interrupt_after = 2 + 6;
    tuning[a].times = {900};
    tuning[b].times = {1000};
    const ShapeResult result = tuning.tune({a, b});
    CHECK(result.interrupted);
    CHECK(result.outcome == TuneOutcome::unconfirmed);
    CHECK(result.winning()->distinct.id == a);
    CHECK(result.winning()->confirmation.size() == 3);
}
