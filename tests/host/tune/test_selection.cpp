#include "made_up.hpp"
#include "tune/selection.hpp"

#include <tune_gemm/grid.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace tune_gemm;
using namespace tune_gemm::host;
using namespace tune_gemm::host::test;

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
