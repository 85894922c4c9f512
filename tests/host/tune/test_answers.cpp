#include "measure/answers.hpp"
#include "measure/specification.hpp"
#include "tune/repeat.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace tune_gemm;
using namespace tune_gemm::host;

namespace {

/// Through the text that travels.
json::value travelled(const json::object& object) {
    return json::read(json::write(object), "answer");
}

} // namespace

TEST_CASE("a specification travels unchanged") {
    JobSpecification spec;
    spec.plugin = "/some where/a.so";
    spec.sha256 = std::string(64, 'a');
    spec.candidate = parse_candidate_id("64x64x32:4x4:scalar:n_k_m:b:prepacked_b:amortized_7");
    spec.shape = {3, 4, 5, 6, 7, Layout::column_major, Layout::row_major, Layout::column_major};
    spec.seed = std::numeric_limits<std::uint64_t>::max();
    spec.limit = std::numeric_limits<std::int64_t>::max();
    const json::value value = travelled(specification_json(spec));
    const JobSpecification back = parse_specification(json::Field(value, "request"));
    CHECK(back.plugin == spec.plugin);
    CHECK(back.sha256 == spec.sha256);
    CHECK(back.candidate == spec.candidate);
    CHECK(back.shape == spec.shape);
    CHECK(back.seed == spec.seed);
    CHECK(back.limit == spec.limit);
}

TEST_CASE("what was multiplied travels unchanged, NaN and differences included") {
    Multiplied multiplied;
    multiplied.resolution.candidate = parse_candidate_id("64x64x32:4x4:scalar:m_n_k:ab:workspace:compute");
    multiplied.resolution.arithmetic = {TG_F32, TG_REORDERED, 0};
    multiplied.resolution.access = {true, false, true, true};
    multiplied.judgement.compared = 12;
    multiplied.judgement.wrong = 3;
    multiplied.judgement.sampled = true;
    multiplied.judgement.max_abs_error = 0.1;
    multiplied.judgement.bound = std::nextafter(0.1, 1.0);
    multiplied.judgement.first = Difference{1, 2, 3, 0.5, std::nan(""), std::nan(""), 1e-300};
    Sample sample;
    sample.batch = {123456789, 1000, {1, 2, 3, 4}};
    sample.judgement.correct = true;
    sample.impossible = "because";
    multiplied.samples = {sample, {}};
    multiplied.samples[1].batch.uses = 1;
    const json::value value = travelled(multiplied_json(multiplied));
    const Multiplied back = parse_multiplied(json::Field(value, "answer"));
    CHECK(candidate_id(back.resolution.candidate) == candidate_id(multiplied.resolution.candidate));
    CHECK(back.resolution.arithmetic == multiplied.resolution.arithmetic);
    CHECK(back.resolution.access.swapped);
    CHECK(!back.resolution.access.packed_a);
    CHECK(back.resolution.access.packed_b);
    CHECK(back.resolution.access.staged_c);
    CHECK(back.judgement.bound == multiplied.judgement.bound);
    CHECK(back.judgement.wrong == 3);
    CHECK(back.judgement.sampled);
    REQUIRE(back.judgement.first);
    CHECK(std::isnan(back.judgement.first->actual));
    CHECK(back.judgement.first->j == 3);
    REQUIRE(back.samples.size() == 2);
    CHECK(back.samples[0].batch.elapsed_ns == 123456789);
    CHECK(back.samples[0].batch.disturbance == Disturbance{1, 2, 3, 4});
    CHECK(back.samples[0].impossible == "because");
    CHECK(back.samples[0].ns() == doctest::Approx(123456.789));
    CHECK(back.samples[1].impossible.empty());
}

TEST_CASE("the command that repeats a product names what is not usual") {
    const GemmCandidate candidate = parse_candidate_id("64x64x32:4x4:scalar:m_n_k:ab:workspace:compute");
    CHECK(repeat_command(candidate, {63, 64, 65}, 42, default_workspace_limit) ==
          "tune-gemm run --shape 63x64x65 --candidate 64x64x32:4x4:scalar:m_n_k:ab:workspace:compute --seed "
          "42");
    GemmShape shape{1, 2, 3, 4};
    shape.layout_b = Layout::column_major;
    CHECK(repeat_command(candidate, shape, 7, 65536) ==
          "tune-gemm run --shape 1x2x3x4 --layouts rcr --candidate "
          "64x64x32:4x4:scalar:m_n_k:ab:workspace:compute --seed 7 "
          "--workspace-limit 65536");
}
