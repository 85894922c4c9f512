#include "errors.hpp"
#include "sha256.hpp"

#include <tune_gemm/grid.hpp>
#include <tune_gemm/validity.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace tune_gemm;
using test::check_words;
using test::error_of;

TEST_CASE("the default grid is the one that the contract names") {
    const auto grid = enumerate_gemm_candidates();
    REQUIRE(grid.size() == 486);
    std::string ids;
    std::set<std::string> distinct;
    for (const GemmCandidate& candidate : grid) {
        ids += candidate_id(candidate) + "\n";
        distinct.insert(candidate_id(candidate));
    }
    CHECK(distinct.size() == 486);
    CHECK(candidate_id(grid.front()) == "32x32x32:2x2:scalar:m_n_k:ab:workspace:compute");
    CHECK(candidate_id(grid.back()) == "128x128x64:8x8:auto:m_n_k:ab:workspace:compute");
    CHECK(test::sha256(ids.data(), ids.size()) ==
          "4fb170f78644d6567cbdf08aefb504ae464865eff715a326b98e3daa44253158");
}

TEST_CASE("the grid for f32 is that for f64 with the ids of f32, and takes half of its workspace") {
    const auto f64 = enumerate_gemm_candidates(TG_F64), f32 = enumerate_gemm_candidates(TG_F32);
    CHECK(f64 == enumerate_gemm_candidates());
    REQUIRE(f32.size() == 324);
    std::set<std::string> blocks_f64, blocks_f32;
    const auto blocks = [](GemmCandidate candidate) {
        candidate.microkernel_id = "auto";
        return candidate_id(candidate);
    };
    for (const GemmCandidate& candidate : f64)
        blocks_f64.insert(blocks(candidate));
    const Catalogue& catalogue = builtin_catalogue(TG_F32);
    for (const GemmCandidate& candidate : f32) {
        blocks_f32.insert(blocks(candidate));
        CHECK(catalogue.resolve(candidate.microkernel_id).value()->id == "scalar_f32");
        CHECK(valid_candidate(candidate, default_grid_limit / 2, catalogue));
    }
    CHECK(blocks_f32 == blocks_f64);
    const auto valid_at = [&](std::int64_t limit) {
        return std::count_if(f32.begin(), f32.end(), [&](const GemmCandidate& candidate) {
            return bool(valid_candidate(candidate, limit, catalogue));
        });
    };
    CHECK(valid_at(131071) < 324);
    CHECK(valid_at(32768) == 126); // two thirds of the 189 of f64 at twice that
    check_words(error_of([] { enumerate_gemm_candidates(TG_I8); }), {"i8", "f64", "f32"});
}

TEST_CASE("486 candidates of the grid are valid at 262144 bytes, 189 at 65536") {
    const auto grid = enumerate_gemm_candidates();
    const auto valid_at = [&](std::int64_t limit) {
        return std::count_if(grid.begin(), grid.end(), [=](const GemmCandidate& candidate) {
            return bool(valid_candidate(candidate, limit));
        });
    };
    CHECK(default_grid_limit == 262144);
    CHECK(valid_at(262144) == 486);
    CHECK(valid_at(262143) < 486);
    CHECK(valid_at(65536) == 189);
    for (const GemmCandidate& candidate : grid) {
        CHECK(parse_candidate_id(candidate_id(candidate)) == candidate);
        CHECK(candidate_valid_for_shape(candidate, {.m = 64, .n = 64, .k = 64}, default_grid_limit));
    }
}
