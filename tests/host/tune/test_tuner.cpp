#include "tuning.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

using namespace tune_gemm;
using namespace tune_gemm::host;
using namespace tune_gemm::host::test;

TEST_CASE("every candidate is validated at the shape and its neighbours before it is timed") {
    Tuning tuning;
    tuning.tune({a, b, c});
    for (const std::string& id : {a, b, c}) {
        const auto& log = tuning.measurer.log;
        const auto first_sample = std::find(log.begin(), log.end(), "sample " + id);
        REQUIRE(first_sample != log.end());
        std::set<std::string> before;
        for (auto entry = log.begin(); entry != first_sample; ++entry)
            if (entry->rfind("validate " + id + " ", 0) == 0)
                before.insert(entry->substr(entry->rfind(' ') + 1));
        CHECK(before == std::set<std::string>{"64x64x64", "63x64x64", "65x64x64", "64x63x64", "64x65x64",
                                              "64x64x63", "64x64x65", "63x63x63", "65x65x65", "61x61x64"});
    }
}

TEST_CASE("the fastest wins, and the published figure is of samples that decided nothing") {
    Tuning tuning;
    tuning[a].times = {1000};
    // Looks best while exploring and confirming; fresh samples show what it is.
    tuning[b].times = {800};
    tuning[b].times.resize(1 + 12, 800);
    tuning[b].times.push_back(900);
    tuning[c].times = {1500};
    const ShapeResult result = tuning.tune({a, b, c});
    CHECK(result.outcome == TuneOutcome::tuned);
    REQUIRE(result.winning() != nullptr);
    CHECK(result.winning()->distinct.id == b);
    CHECK(result.winning()->confirmation.size() == 12);
    CHECK(result.winning()->published.size() == 12);
    CHECK(result.winning()->confirmed_ns() == doctest::Approx(800));
    CHECK(result.winning()->published_ns() == doctest::Approx(900));
    CHECK(result.gflops() == doctest::Approx(2.0 * 64 * 64 * 64 / 900));
    CHECK(result.second_over_first() == doctest::Approx(1000.0 / 800));
    CHECK(result.equivalent.empty());
    CHECK(!result.budget_spent);
    CHECK(tuning.recorder.count("winner " + b) == 1);
    CHECK(validated_text(*result.winning()) == "all");
}

TEST_CASE("a lucky exploration does not win: fresh samples decide") {
    Tuning tuning;
    tuning[a].times = {700, 1200}; // one fast sample, then slow
    tuning[b].times = {1000};
    const ShapeResult result = tuning.tune({a, b});
    CHECK(result.winning()->distinct.id == b);
}

TEST_CASE("near ties go to the smaller workspace and are said to be equivalent") {
    Tuning tuning;
    tuning[a].times = {1010}; // 24 KiB
    tuning[b].times = {1000}; // 64 KiB
    tuning[d].times = {1100};
    const ShapeResult result = tuning.tune({b, a, d});
    CHECK(result.winning()->distinct.id == a);
    REQUIRE(result.equivalent.size() == 1);
    CHECK(result.standings[result.equivalent[0]].distinct.id == b);
    CHECK(tuning.recorder.count("equivalent " + b) == 1);
    CHECK(result.second_over_first() == doctest::Approx(1000.0 / 1010));
}

TEST_CASE("sixty runs over equal candidates with jitter name the same winner") {
    std::set<std::string> winners;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Tuning tuning;
        tuning.settings.seed = seed;
        std::uint64_t state = seed * 977 + 1;
        for (const std::string& id : {a, b, c, d})
            for (int i = 0; i < 40; ++i) {
                state = state * 6364136223846793005u + 1442695040888963407u;
                tuning[id].times.push_back(1000 + static_cast<double>(state >> 60)); // up to 1.5 %
            }
        for (const std::string& id : {a, b, c, d})
            tuning[id].times.erase(tuning[id].times.begin());
        winners.insert(tuning.tune({d, c, b, a}).winning()->distinct.id);
    }
    CHECK(winners == std::set<std::string>{a});
}

TEST_CASE("a candidate slower than twice the best is dropped after its first sample") {
    Tuning tuning;
    tuning.settings.exploration_samples = 3;
    tuning[a].times = {1000};
    tuning[b].times = {2100};
    tuning[c].times = {1900};
    const ShapeResult result = tuning.tune({a, b, c});
    CHECK(standing(result, b).fate == Fate::slow);
    CHECK(tuning.measurer.samples[b] == 1);
    CHECK(standing(result, c).exploration.size() == 3);
    CHECK(standing(result, c).fate == Fate::finalist);
    CHECK(tuning.recorder.count("dropped " + b) == 1);
}

TEST_CASE("only the best six are confirmed") {
    Tuning tuning;
    std::vector<std::string> ids;
    for (int i = 0; i < 9; ++i) {
        ids.push_back(id_of(32 + 4 * i, 32, 32));
        tuning[ids.back()].times = {1000.0 + 50 * i};
    }
    const ShapeResult result = tuning.tune(ids);
    CHECK(result.finalists.size() == 6);
    CHECK(result.count(Fate::finalist) == 5);
    CHECK(result.count(Fate::explored) == 3);
    CHECK(standing(result, ids[6]).confirmation.empty());
    CHECK(standing(result, ids[5]).confirmation.size() == 12);
}

TEST_CASE("what crashes or is wrong when validated is never timed, and the run goes on") {
    for (const auto kind : {MeasureFailure::Kind::crashed, MeasureFailure::Kind::timed_out,
                            MeasureFailure::Kind::wrong, MeasureFailure::Kind::refused}) {
        Tuning tuning;
        tuning[b].times = {1}; // would be the fastest by far
        tuning[b].fails_at_m = 65;
        tuning[b].failure = {kind, "a sentence"};
        const ShapeResult result = tuning.tune({a, b, c});
        CHECK(result.outcome == TuneOutcome::tuned);
        CHECK(result.winning()->distinct.id != b);
        CHECK(tuning.measurer.samples[b] == 0);
        CHECK(standing(result, b).fate == Fate::failed);
        CHECK(standing(result, b).failure->kind == kind);
        CHECK(standing(result, b).failed_at.m == 65);
        CHECK(tuning.recorder.count("failed " + b + " " + std::string(to_text(kind))) == 1);
    }
}

TEST_CASE("a wrong output of a timed run, or a time that cannot be, is a failure and not a fast candidate") {
    Tuning tuning;
    tuning[a].times = {10};
    tuning[a].wrong_when_timed = true;
    tuning[b].times = {20};
    tuning[b].impossible = true;
    tuning[d].times = {30};
    tuning[d].fails_when_timed = true;
    const ShapeResult result = tuning.tune({a, b, c, d});
    CHECK(result.winning()->distinct.id == c);
    CHECK(standing(result, a).failure->kind == MeasureFailure::Kind::wrong);
    CHECK(standing(result, b).failure->kind == MeasureFailure::Kind::impossible);
    CHECK(standing(result, d).failure->kind == MeasureFailure::Kind::crashed);
    CHECK(result.count(Fate::failed) == 3);
    // What they claimed dropped nobody as slow.
    CHECK(result.count(Fate::slow) == 0);
}

TEST_CASE("when all fail there is no winner") {
    Tuning tuning;
    tuning.measurer.usual.fails_at_m = 64;
    const ShapeResult result = tuning.tune({a, b});
    CHECK(result.outcome == TuneOutcome::all_failed);
    CHECK(!result.winner);
    CHECK(std::isnan(result.gflops()));
    CHECK(result.count(Fate::failed) == 2);
}

TEST_CASE("a winner that crashes at last makes room for the next") {
    struct CrashesLate : FakeMeasurer {
        Measured<Sample> sample(const GemmCandidate& candidate, const GemmShape& at, std::int64_t min_ns,
                                std::int64_t deadline_ns) override {
            if (candidate_id(candidate) == a && samples[a] == 1 + 12 + 3)
                return MeasureFailure{MeasureFailure::Kind::crashed, "crashed"};
            return FakeMeasurer::sample(candidate, at, min_ns, deadline_ns);
        }
    } measurer;
    measurer.kernels[a].times = {500};
    measurer.kernels[b].times = {600};
    Recorder recorder;
    const TuneSettings settings;
    const ShapeResult result = tune_shape(shape, selection_of({a, b, c}), settings, measurer, recorder);
    CHECK(result.outcome == TuneOutcome::tuned);
    CHECK(result.winning()->distinct.id == b);
    CHECK(result.winning()->published.size() == 12);
    CHECK(standing(result, a).failed_in == Phase::final);
}

TEST_CASE("what was slow only beside a candidate that fails later is in the race again") {
    struct FailsOnSecond : FakeMeasurer {
        Measured<Sample> sample(const GemmCandidate& candidate, const GemmShape& at, std::int64_t min_ns,
                                std::int64_t deadline_ns) override {
            if (candidate_id(candidate) == a && samples[a] == 1)
                return MeasureFailure{MeasureFailure::Kind::crashed, "crashed"};
            return FakeMeasurer::sample(candidate, at, min_ns, deadline_ns);
        }
    };
    for (const std::int64_t rounds : {1, 2}) { // fails when it is published, or in the second round
        FailsOnSecond measurer;
        measurer.kernels[a].times = {10};
        measurer.kernels[b].times = {1000};
        measurer.kernels[c].times = {1500};
        measurer.kernels[d].times = {5000};
        Recorder recorder;
        TuneSettings settings;
        settings.exploration_samples = rounds;
        settings.first_ids = {a};
        const ShapeResult result =
            tune_shape(shape, selection_of({a, b, c, d}), settings, measurer, recorder);
        CHECK(result.outcome == TuneOutcome::tuned);
        REQUIRE(result.winning() != nullptr);
        CHECK(result.winning()->distinct.id == b);
        CHECK(standing(result, c).confirmation.size() == 12);
        CHECK(standing(result, d).fate == Fate::slow);
        CHECK(recorder.count("restored " + b) == 1);
    }
}

TEST_CASE("samples are interleaved: no candidate is confirmed twice before the others were once") {
    Tuning tuning;
    tuning.tune({a, b, c});
    std::vector<std::string> confirming;
    for (const std::string& event : tuning.recorder.events)
        if (event.size() > 7 && event.substr(event.size() - 7) == "confirm")
            confirming.push_back(event);
    REQUIRE(confirming.size() == 36);
    for (std::size_t round = 0; round < 36; round += 3)
        CHECK(std::set<std::string>(confirming.begin() + static_cast<std::ptrdiff_t>(round),
                                    confirming.begin() + static_cast<std::ptrdiff_t>(round + 3))
                  .size() == 3);
}

TEST_CASE("a single candidate needs no contest, only its figure") {
    Tuning tuning;
    const ShapeResult result = tuning.tune({a});
    CHECK(result.outcome == TuneOutcome::tuned);
    CHECK(result.winning()->confirmation.empty());
    CHECK(result.winning()->published.size() == 12);
    CHECK(std::isnan(result.second_over_first()));
}

TEST_CASE("no valid candidate is an outcome of its own") {
    Tuning tuning;
    CHECK(tuning.tune(Selection{}).outcome == TuneOutcome::none_valid);
}

TEST_CASE("what is recorded is made safe after each candidate") {
    Tuning tuning;
    tuning.tune({a, b, c});
    CHECK(tuning.recorder.count("settled") >= 3 + 12);
}
