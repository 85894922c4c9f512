#include "made_up.hpp"
#include "tune/selection.hpp"
#include "tune/space.hpp"

#include <tune_gemm/grid.hpp>
#include <tune_gemm/model_candidate.hpp>
#include <tune_gemm/validity.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace tune_gemm;
using namespace tune_gemm::host;
using namespace tune_gemm::host::test;

namespace {

std::vector<std::string> ids_of(const std::vector<GemmCandidate>& candidates) {
    std::vector<std::string> ids;
    for (const GemmCandidate& candidate : candidates)
        ids.push_back(candidate_id(candidate));
    return ids;
}

const GemmShape cube{256, 256, 256};

std::vector<GemmCandidate> space(const KernelInfo& kernel, const GemmShape& shape = cube,
                                 std::int64_t limit = default_workspace_limit) {
    return space_of(kernel, shape, {}, limit);
}

} // namespace

TEST_CASE("the space of scalar is the default grid") {
    const KernelInfo& scalar = *builtin_catalogue().find("scalar");
    CHECK(ids_of(space(scalar)) == ids_of(enumerate_gemm_candidates()));
    CHECK(space(*builtin_catalogue().find("scalar_f64")).size() == 486);
    CHECK(ids_of(space(*builtin_catalogue(TG_F32).find("scalar_f32"))) ==
          ids_of(enumerate_gemm_candidates(TG_F32)));
}

TEST_CASE("the space of a tile lies around the model's proposal: all of it is valid, and no id comes twice") {
    TileInfo tile = fixed_tile(6, 10);
    tile.kr = 4;
    tile.access_a |= TG_ROW_UNIT;
    tile.mc = 96;
    tile.nc = 200;
    tile.kc = 128;
    const KernelInfo kernel = kernel_with(tile);
    const Catalogue catalogue = catalogue_of(kernel);
    const GemmShape shape{1000, 700, 900};
    const auto candidates = space(kernel, shape);
    std::set<Packing> packings;
    std::set<LoopOrder> orders;
    for (const GemmCandidate& candidate : candidates) {
        const Validity validity =
            candidate_valid_for_shape(candidate, shape, default_workspace_limit, catalogue);
        CHECK_MESSAGE(validity, candidate_id(candidate) << ": " << validity.reason);
        packings.insert(candidate.packing);
        orders.insert(candidate.loop_order);
    }
    // B is taken packed only.
    CHECK(packings == std::set{Packing::ab, Packing::b});
    CHECK(orders == std::set{LoopOrder::m_n_k, LoopOrder::n_k_m});
    const auto ids = ids_of(candidates);
    CHECK(std::set<std::string>(ids.begin(), ids.end()).size() == ids.size());

    const auto proposal = model_candidate(kernel, shape, {}, default_workspace_limit);
    REQUIRE(proposal);
    const GemmCandidate& centre = proposal.value();
    CHECK(candidates.front() == centre);
    const auto has = [&](auto change) {
        GemmCandidate wanted = centre;
        change(wanted);
        return std::find(candidates.begin(), candidates.end(), wanted) != candidates.end();
    };
    // 32 KiB of L1 and 512 of L2: of k three blocks of 300, of n seven of 100 (109 fit), of m two.
    CHECK(candidate_id(centre) == "504x100x300:6x10:some.kernel:n_k_m:b:workspace:compute");
    CHECK(has([](GemmCandidate& c) { c.kc = 452; })); // half as many
    CHECK(has([](GemmCandidate& c) { c.kc = 152; })); // twice as many
    CHECK(has([](GemmCandidate& c) { c.nc = 50; }));
    CHECK(has([](GemmCandidate& c) { c.nc = 180; }));
    CHECK(has([](GemmCandidate& c) { c.mc = 252; }));
    CHECK(has([](GemmCandidate& c) { c.mc = 1002; }));
    CHECK(has([](GemmCandidate& c) { c.nc = 50, c.kc = 452; }));
    CHECK(has([](GemmCandidate& c) { c.nc = 180, c.kc = 152; }));
    CHECK(has([](GemmCandidate& c) { c.mc = 102, c.nc = 240, c.kc = 132; })); // the tile's own, evenly
    CHECK(has([](GemmCandidate& c) { c.loop_order = LoopOrder::m_n_k; }));
}

TEST_CASE("a small shape has no candidates that cannot differ, and no blocks that are all overhead") {
    TileInfo tile = fixed_tile(4, 4);
    tile.access_a = tile.access_b = TG_PACKED | TG_ANY;
    const auto candidates = space(kernel_with(tile), {40, 40, 40});
    CHECK(candidates.size() == 4); // one for each packing
    for (const GemmCandidate& candidate : candidates) {
        CHECK(candidate.mc == 40);
        CHECK(candidate.nc == 40);
        CHECK(candidate.kc == 40);
        CHECK(candidate.loop_order == LoopOrder::n_k_m);
    }
}

TEST_CASE("what lies around a proposal is within the limit; a tile that is not is counted with its reason") {
    const KernelInfo kernel = kernel_with(fixed_tile(4, 8));
    const std::int64_t needed = workspace_bytes(space(kernel).front());
    const auto candidates = space(kernel, cube, needed);
    CHECK(candidates.size() > 3);
    for (const GemmCandidate& candidate : candidates)
        CHECK(workspace_bytes(candidate) <= needed);
    CHECK(space(kernel).size() > candidates.size());
    const Selection selection = select_candidates(space(kernel, cube, 100), cube, 100, catalogue_of(kernel));
    CHECK(selection.valid == 0);
    CHECK(dropped_text(selection).find("workspace 1 (first 4x8x1") != std::string::npos);
}

TEST_CASE("the proposals come first, one for each tile, of least cost first") {
    KernelInfo kernel = kernel_with(fixed_tile(1, 8));
    kernel.tiles.push_back(fixed_tile(6, 8));
    for (TileInfo& tile : kernel.tiles)
        tile.access_c = TG_ROW_UNIT;
    kernel.tiles.push_back(fixed_tile(4, 8)); // and this takes no C at all
    const auto proposals = proposals_of(kernel, cube, {}, default_workspace_limit);
    REQUIRE(proposals.size() == 2);
    CHECK(proposals[0].mr == 6);
    CHECK(proposals[1].mr == 1);
    const auto candidates = space(kernel);
    REQUIRE(candidates.size() > 3);
    CHECK(std::vector(candidates.begin(), candidates.begin() + 2) == proposals);
    // What cannot serve is there, so that it is counted with its reason.
    CHECK(candidates.back().mr == 4);
    const Selection selection =
        select_candidates(candidates, cube, default_workspace_limit, catalogue_of(kernel));
    REQUIRE(selection.dropped.size() == 1);
    CHECK(selection.dropped.front().count == 1);
    CHECK(selection.dropped.front().reason.find("takes C in no form") != std::string::npos);
}

TEST_CASE("a free tile is tried at several sizes, and one smaller than 2 x 2 at its largest") {
    TileInfo tile = fixed_tile(0, 0);
    tile.max_mr = 4;
    tile.max_nr = 2;
    std::set<std::int64_t> rows;
    for (const GemmCandidate& candidate : space(kernel_with(tile))) {
        rows.insert(candidate.mr);
        CHECK(candidate.nr == 2);
    }
    CHECK(rows == std::set<std::int64_t>{2, 4});
    tile.max_mr = tile.max_nr = 1;
    const auto candidates = space(kernel_with(tile));
    REQUIRE(!candidates.empty());
    CHECK(candidates.front().mr == 1);
    CHECK(candidates.front().nr == 1);
}

TEST_CASE("a whole-gemm kernel has one candidate") {
    KernelInfo kernel;
    kernel.id = "whole";
    kernel.whole_gemm = true;
    CHECK(ids_of(space(kernel)) == std::vector<std::string>{"1x1x1:1x1:whole:own:none:workspace:compute"});
}
