// The tuner over real workers and real plugins, good and bad.
#include "built.hpp"
#include "tune/tuner.hpp"
#include "tune/worker_measurer.hpp"

#include <tune_gemm/config.hpp>

#include <doctest/doctest.h>

using namespace tune_gemm;
using namespace tune_gemm::host;
using namespace tune_gemm::host::test;

namespace {

Registry registry_of(const std::vector<std::string>& plugins) {
    RegistryOptions options;
    for (const std::string& plugin : plugins)
        options.plugin_paths.push_back(built(plugin));
    options.allow_unsafe_path = true;
    return open_registry(options);
}

std::int64_t in_a_minute(Measurer& measurer) {
    return measurer.now_ns() + 60'000'000'000;
}

const std::string scalar_id = "32x32x32:4x4:scalar:m_n_k:ab:workspace:";

} // namespace

TEST_CASE("a worker validates and samples a real kernel in every timing scope") {
    const Registry registry = registry_of({"plugins/scalar/scalar.so"});
    WorkerMeasurer measurer(registry, {});
    const GemmShape shape{20, 30, 40};
    for (const char* scope : {"compute", "steady_state", "end_to_end", "amortized_3"}) {
        const GemmCandidate candidate = parse_candidate_id(scalar_id + scope);
        const auto validated = measurer.validate(candidate, shape, in_a_minute(measurer));
        REQUIRE(std::holds_alternative<Judgement>(validated));
        CHECK(std::get<Judgement>(validated).correct);
        CHECK(std::get<Judgement>(validated).compared == 600);
        for (int i = 0; i < 2; ++i) { // calibrated, then by what is known
            const auto sampled = measurer.sample(candidate, shape, 100'000, in_a_minute(measurer));
            REQUIRE(std::holds_alternative<Sample>(sampled));
            CHECK(std::get<Sample>(sampled).judgement.correct);
            CHECK(std::get<Sample>(sampled).impossible.empty());
        }
    }
    CHECK(measurer.restarts() == 0);
}

TEST_CASE("what the worker refuses comes back as a refusal with its sentence") {
    const Registry registry = registry_of({"plugins/scalar/scalar.so"});
    WorkerMeasurerOptions options;
    options.limit = 1000;
    WorkerMeasurer measurer(registry, options);
    const auto validated =
        measurer.validate(parse_candidate_id(scalar_id + "compute"), {8, 8, 8}, in_a_minute(measurer));
    REQUIRE(std::holds_alternative<MeasureFailure>(validated));
    CHECK(std::get<MeasureFailure>(validated).kind == MeasureFailure::Kind::refused);
    CHECK(std::get<MeasureFailure>(validated).sentence.find("1000") != std::string::npos);
}

TEST_CASE("a deadline that has passed is no failure of the candidate") {
    const Registry registry = registry_of({"plugins/scalar/scalar.so", "tests/host/tune/misbehaving.so"});
    WorkerMeasurer measurer(registry, {});
    const GemmCandidate candidate = parse_candidate_id(scalar_id + "compute");
    const auto late = measurer.validate(candidate, {8, 8, 8}, measurer.now_ns());
    REQUIRE(std::holds_alternative<MeasureFailure>(late));
    CHECK(std::get<MeasureFailure>(late).kind == MeasureFailure::Kind::out_of_time);
    // The same for a call that is cut short by the deadline, long before it counts as hanging.
    const auto cut =
        measurer.validate(parse_candidate_id("32x60x32:4x6:misbehaving.hangs:m_n_k:ab:workspace:compute"),
                          {8, 8, 8}, measurer.now_ns() + 300'000'000);
    REQUIRE(std::holds_alternative<MeasureFailure>(cut));
    CHECK(std::get<MeasureFailure>(cut).kind == MeasureFailure::Kind::out_of_time);
}

TEST_CASE("kernels that crash, exit, hang, have a wrong tail or stop working are survived, and never win") {
    const Registry registry = registry_of(
        {"plugins/scalar/scalar.so", "tests/faulty_plugins/crash.so", "tests/faulty_plugins/exits.so",
         "tests/faulty_plugins/wrong_m_tail.so", "tests/host/tune/misbehaving.so"});
    std::vector<GemmCandidate> candidates;
    for (const char* id : {"32x30x32:4x6:scalar", "32x30x32:4x6:faulty.crash", "32x30x32:4x6:faulty.exits",
                           "32x30x32:4x6:faulty.wrong_m_tail", "32x30x32:4x6:misbehaving.hangs",
                           "32x30x32:4x6:misbehaving.tires"})
        candidates.push_back(parse_candidate_id(std::string(id) + ":m_n_k:ab:workspace:compute"));
    const GemmShape shape{11, 11, 8};
    const Selection selection = select_candidates(candidates, shape, default_grid_limit, registry.catalogue);
    REQUIRE_MESSAGE(selection.distinct.size() == 6, dropped_text(selection));
    WorkerMeasurerOptions options;
    options.patience_ns = 2'000'000'000;
    WorkerMeasurer measurer(registry, options);
    TuneSettings settings;
    settings.budget_ns = 60'000'000'000;
    settings.confirmation_samples = 2;
    TuneListener silent;
    const ShapeResult result = tune_shape(shape, selection, settings, measurer, silent);
    CHECK(result.outcome == TuneOutcome::tuned);
    REQUIRE(result.winning() != nullptr);
    CHECK(result.winning()->distinct.candidate.microkernel_id == "scalar");
    const auto failure_of = [&](const std::string& kernel) {
        for (const Standing& standing : result.standings)
            if (standing.distinct.candidate.microkernel_id == kernel && standing.failure)
                return std::string(to_text(standing.failed_in)) + " " +
                       std::string(to_text(standing.failure->kind));
        return std::string("none");
    };
    CHECK(failure_of("scalar") == "none");
    CHECK(failure_of("faulty.crash") == "validate crashed");
    CHECK(failure_of("faulty.exits") == "validate exited");
    CHECK(failure_of("faulty.wrong_m_tail") == "validate wrong");
    CHECK(failure_of("misbehaving.hangs") == "validate timed_out");
    CHECK(failure_of("misbehaving.tires") == "explore wrong");
    CHECK(result.count(Fate::failed) == 5);
    // The worker that hung was replaced, and the new one works.
    const auto validated =
        measurer.validate(parse_candidate_id("32x30x32:4x6:misbehaving.tires:m_n_k:ab:workspace:compute"),
                          shape, in_a_minute(measurer));
    REQUIRE(std::holds_alternative<Judgement>(validated));
    CHECK(std::get<Judgement>(validated).correct);
    CHECK(measurer.restarts() == 1);
}

TEST_CASE("a kernel that is wrong only where rows and columns both end short of a tile is never timed") {
    const Registry registry = registry_of({"plugins/scalar/scalar.so", "tests/host/tune/misbehaving.so"});
    const GemmShape shape{12, 12, 8}; // whole tiles only
    for (const char* const kernel :
         {"misbehaving.slips_by_1", "misbehaving.slips_by_3", "misbehaving.slips_past"}) {
        const std::vector candidates{
            parse_candidate_id("32x30x32:4x6:" + std::string(kernel) + ":m_n_k:ab:workspace:compute")};
        const Selection selection =
            select_candidates(candidates, shape, default_grid_limit, registry.catalogue);
        REQUIRE_MESSAGE(selection.distinct.size() == 1, dropped_text(selection));
        WorkerMeasurer measurer(registry, {});
        TuneListener silent;
        TuneSettings settings;
        settings.budget_ns = 60'000'000'000;
        const ShapeResult result = tune_shape(shape, selection, settings, measurer, silent);
        CAPTURE(kernel);
        CHECK(result.outcome == TuneOutcome::all_failed);
        REQUIRE(result.standings.front().failure);
        CHECK(result.standings.front().failure->kind == MeasureFailure::Kind::wrong);
        CHECK(result.standings.front().failed_in == Phase::validate);
    }
}
