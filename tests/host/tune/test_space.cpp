#include "tune/selection.hpp"
#include "tune/space.hpp"

#include <tune_gemm/grid.hpp>
#include <tune_gemm/validity.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace tune_gemm;
using namespace tune_gemm::host;

namespace {

KernelInfo kernel_with(TileInfo tile) {
    KernelInfo kernel;
    kernel.id = "some.kernel";
    kernel.loop_identity = "some file:0";
    tile.access_c = TG_ROW_UNIT | TG_COL_UNIT | TG_ANY;
    kernel.tiles = {tile};
    return kernel;
}

TileInfo fixed_tile(std::uint32_t mr, std::uint32_t nr) {
    TileInfo tile;
    tile.mr = mr;
    tile.nr = nr;
    tile.access_a = tile.access_b = TG_PACKED;
    return tile;
}

Catalogue catalogue_of(const KernelInfo& kernel) {
    Catalogue catalogue;
    catalogue.add(kernel);
    return catalogue;
}

std::vector<std::string> ids_of(const std::vector<GemmCandidate>& candidates) {
    std::vector<std::string> ids;
    for (const GemmCandidate& candidate : candidates)
        ids.push_back(candidate_id(candidate));
    return ids;
}

} // namespace

TEST_CASE("the space of scalar is the default grid") {
    const KernelInfo& scalar = *builtin_catalogue().find("scalar");
    CHECK(ids_of(space_of(scalar)) == ids_of(enumerate_gemm_candidates()));
    CHECK(space_of(*builtin_catalogue().find("scalar_f64")).size() == 486);
    CHECK(ids_of(space_of(*builtin_catalogue(TG_F32).find("scalar_f32"))) ==
          ids_of(enumerate_gemm_candidates(TG_F32)));
}

TEST_CASE(
    "the space of a fixed tile is made from its constraints: all of it is valid, and no id comes twice") {
    TileInfo tile = fixed_tile(6, 10);
    tile.kr = 4;
    tile.access_a |= TG_ROW_UNIT;
    tile.mc = 96;
    tile.nc = 200;
    tile.kc = 384;
    const KernelInfo kernel = kernel_with(tile);
    const Catalogue catalogue = catalogue_of(kernel);
    const auto space = space_of(kernel);
    REQUIRE(space.size() > 100);
    std::set<Packing> packings;
    for (const GemmCandidate& candidate : space) {
        const Validity validity = valid_candidate(candidate, default_workspace_limit, catalogue);
        CHECK_MESSAGE(validity, candidate_id(candidate) << ": " << validity.reason);
        packings.insert(candidate.packing);
    }
    // B is taken packed only.
    CHECK(packings == std::set{Packing::ab, Packing::b});
    const auto ids = ids_of(space);
    CHECK(std::set<std::string>(ids.begin(), ids.end()).size() == ids.size());
    CHECK(std::find(ids.begin(), ids.end(), "96x200x384:6x10:some.kernel:m_n_k:ab:workspace:compute") !=
          ids.end());
}

TEST_CASE("a free tile that is smaller than 2 x 2 is tried at its largest") {
    TileInfo tile = fixed_tile(0, 0);
    tile.max_mr = 1;
    tile.max_nr = 1;
    const auto space = space_of(kernel_with(tile));
    REQUIRE(!space.empty());
    CHECK(space.front().mr == 1);
    CHECK(space.front().nr == 1);
}

TEST_CASE("a whole-gemm kernel has one candidate") {
    KernelInfo kernel;
    kernel.id = "whole";
    kernel.whole_gemm = true;
    CHECK(ids_of(space_of(kernel)) == std::vector<std::string>{"1x1x1:1x1:whole:own:none:workspace:compute"});
}

TEST_CASE("the default grid of 486 candidates has 162 distinct ones, each shared by three ids") {
    const auto grid = enumerate_gemm_candidates();
    const Selection selection =
        select_candidates(grid, {64, 64, 64}, default_grid_limit, builtin_catalogue());
    CHECK(selection.asked == 486);
    CHECK(selection.valid == 486);
    CHECK(selection.dropped.empty());
    REQUIRE(selection.distinct.size() == 162);
    for (const Distinct& distinct : selection.distinct) {
        CHECK(distinct.asked.size() == 3);
        CHECK(distinct.candidate.microkernel_id == "scalar");
        CHECK(distinct.workspace_bytes == workspace_bytes(distinct.candidate));
    }
    CHECK(selection.distinct.front().asked ==
          std::vector<std::string>{"32x32x32:2x2:scalar:m_n_k:ab:workspace:compute",
                                   "32x32x32:2x2:scalar_f64:m_n_k:ab:workspace:compute",
                                   "32x32x32:2x2:auto:m_n_k:ab:workspace:compute"});
}

TEST_CASE("candidates that differ in tile, blocks, packing, order, allocation or timing are not one") {
    const GemmCandidate base = parse_candidate_id("64x64x32:4x4:scalar:m_n_k:ab:workspace:compute");
    std::vector<GemmCandidate> candidates;
    for (const char* id :
         {"64x64x32:4x4:scalar:m_n_k:ab:workspace:compute", "64x64x64:4x4:scalar:m_n_k:ab:workspace:compute",
          "64x64x32:4x8:scalar:m_n_k:ab:workspace:compute", "64x64x32:4x4:scalar:n_k_m:ab:workspace:compute",
          "64x64x32:4x4:scalar:m_n_k:a:workspace:compute", "64x64x32:4x4:scalar:m_n_k:ab:fresh:compute",
          "64x64x32:4x4:auto:m_n_k:ab:workspace:compute"})
        candidates.push_back(parse_candidate_id(id));
    candidates.push_back(base); // again
    const Selection selection =
        select_candidates(candidates, {64, 64, 64}, default_grid_limit, builtin_catalogue());
    CHECK(selection.valid == 8);
    CHECK(selection.distinct.size() == 6);
    CHECK(selection.distinct.front().asked.size() == 2); // scalar and auto, each once
}

TEST_CASE("kernels of one plugin that are not one loop are not one candidate") {
    Catalogue catalogue;
    KernelInfo one = kernel_with(fixed_tile(4, 4)), other = one;
    one.id = "one";
    other.id = "other";
    other.loop_identity = "some file:1";
    catalogue.add(one);
    catalogue.add(other);
    const std::vector<GemmCandidate> candidates{
        parse_candidate_id("64x64x32:4x4:one:m_n_k:ab:workspace:compute"),
        parse_candidate_id("64x64x32:4x4:other:m_n_k:ab:workspace:compute")};
    CHECK(select_candidates(candidates, {8, 8, 8}, default_grid_limit, catalogue).distinct.size() == 2);
}

TEST_CASE("what is not valid is dropped and counted by its reason") {
    auto candidates = enumerate_gemm_candidates();
    candidates.push_back(parse_candidate_id("64x64x32:4x4:scaler:m_n_k:ab:workspace:compute"));
    const Selection selection = select_candidates(candidates, {64, 64, 64}, 65536, builtin_catalogue());
    CHECK(selection.valid == 189);
    CHECK(selection.distinct.size() == 63);
    REQUIRE(selection.dropped.size() == 2);
    CHECK(selection.dropped[0].field == "workspace");
    CHECK(selection.dropped[0].count == 297);
    CHECK(selection.dropped[1].count == 1);
    const std::string text = dropped_text(selection);
    CHECK(text.find("298 of 487 candidates are not valid") == 0);
    CHECK(text.find("scaler") != std::string::npos);
}

TEST_CASE("times of different scopes are never ranked: a mixed list is an error that names two ids") {
    std::vector<GemmCandidate> candidates{
        parse_candidate_id("64x64x32:4x4:scalar:m_n_k:ab:workspace:compute"),
        parse_candidate_id("32x32x32:4x4:scalar:m_n_k:ab:workspace:compute")};
    CHECK_NOTHROW(require_one_timing_scope(candidates));
    candidates.push_back(parse_candidate_id("32x32x32:4x4:scalar:m_n_k:ab:workspace:amortized_10"));
    std::string sentence;
    try {
        require_one_timing_scope(candidates);
    } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::bad_input);
        sentence = error.what();
    }
    CHECK(sentence.find("timing_scope") != std::string::npos);
    CHECK(sentence.find("amortized_10") != std::string::npos);
    candidates.back().timing_scope.uses = 20;
    candidates.erase(candidates.begin(), candidates.begin() + 2);
    candidates.push_back(parse_candidate_id("32x32x32:4x4:scalar:m_n_k:ab:workspace:amortized_10"));
    CHECK_THROWS_AS(require_one_timing_scope(candidates), Error); // amortized over different numbers of uses
}
