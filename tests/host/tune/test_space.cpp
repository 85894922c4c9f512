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

TEST_CASE("neighbours are validated at a shape with two blocks along each extent, the last as it was") {
    KernelInfo kernel = kernel_with(fixed_tile(4, 8));
    kernel.tiles.front().access_c = TG_ROW_UNIT; // so that a C by columns is computed transposed
    const auto abridged = [&](GemmShape shape, const char* id) {
        return abridged_shape(shape, parse_candidate_id(id), kernel);
    };
    const char* const id = "64x32x16:4x8:some.kernel:n_k_m:ab:workspace:compute";
    CHECK(abridged({1001, 999, 40, 7}, id) == GemmShape{105, 39, 24, 2}); // 1001 = 15*64 + 41, and so on
    CHECK(abridged({128, 64, 32, 2}, id) == GemmShape{128, 64, 32, 2});
    CHECK(abridged({192, 96, 48}, id) == GemmShape{128, 64, 32});
    GemmShape by_columns{1001, 999, 40};
    by_columns.layout_c = Layout::column_major;
    GemmShape wanted{41, 103, 24}; // 32 for m, 64 for n
    wanted.layout_c = Layout::column_major;
    CHECK(abridged(by_columns, id) == wanted);

    KernelInfo whole;
    whole.whole_gemm = true;
    CHECK(abridged_shape({1001, 999, 40}, parse_candidate_id("1x1x1:1x1:whole:own:none:workspace:compute"),
                         whole) == GemmShape{1001, 999, 40});

    const Selection selection = select_candidates(std::vector{parse_candidate_id(id)}, {1001, 999, 40},
                                                  default_workspace_limit, catalogue_of(kernel));
    REQUIRE(selection.distinct.size() == 1);
    const auto shapes = shapes_to_validate(selection.distinct.front(), {1001, 999, 40});
    REQUIRE(shapes.size() == 10);
    CHECK(shapes[0] == GemmShape{1001, 999, 40});
    CHECK(shapes[1] == GemmShape{104, 39, 24});
    CHECK(shapes[9] == GemmShape{102, 36, 24});
}

TEST_CASE("a whole-gemm kernel has one candidate") {
    KernelInfo kernel;
    kernel.id = "whole";
    kernel.whole_gemm = true;
    CHECK(ids_of(space(kernel)) == std::vector<std::string>{"1x1x1:1x1:whole:own:none:workspace:compute"});
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
