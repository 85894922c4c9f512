#include "kernels.hpp"

#include <tune_gemm/cache_model.hpp>
#include <tune_gemm/model_candidate.hpp>
#include <tune_gemm/validity.hpp>

#include <doctest/doctest.h>

#include <set>

using namespace tune_gemm;

namespace {

constexpr std::int64_t KiB = 1024, MiB = 1024 * KiB;

TileInfo tile_of(std::uint32_t mr, std::uint32_t nr) {
    TileInfo tile;
    tile.mr = mr, tile.nr = nr;
    tile.access_a = TG_PACKED | TG_ROW_UNIT | TG_COL_UNIT | TG_ANY;
    tile.access_b = TG_PACKED | TG_ROW_UNIT;
    tile.access_c = TG_ROW_UNIT;
    return tile;
}

/// Tiles of 8 columns a register, as a processor with 32 wide registers has them.
KernelInfo wide_kernel(tg_dtype dtype = TG_F64) {
    KernelInfo kernel;
    kernel.id = "wide";
    kernel.arithmetic = {dtype, TG_SEQUENTIAL, TG_FUSED};
    kernel.tiles = {tile_of(8, 24), tile_of(6, 32), tile_of(14, 16), tile_of(3, 64), tile_of(24, 8)};
    return kernel;
}

Catalogue catalogue_of(const KernelInfo& kernel) {
    Catalogue catalogue;
    catalogue.auto_class = kernel.arithmetic;
    catalogue.add(kernel);
    return catalogue;
}

GemmCandidate model(const KernelInfo& kernel, const GemmShape& shape,
                    std::int64_t limit = default_workspace_limit) {
    const auto candidate = model_candidate(kernel, shape, {}, limit);
    REQUIRE(candidate);
    return candidate.value();
}

std::string tile_text(const GemmCandidate& candidate) {
    return std::to_string(candidate.mr) + "x" + std::to_string(candidate.nr);
}

} // namespace

TEST_CASE("cache model: the formulas, by hand for an L1 of 8 ways and an L2 of 256 KiB") {
    const CacheSizes caches{{32 * KiB, 8}, {256 * KiB, 8}, {8 * MiB, 16}};
    const auto blocks = [&](BlockUse use) { return model_blocks(use, caches); };
    constexpr std::int64_t deep = 51200;
    // 2048 bytes a strip of 256, so L2 holds 128.
    CHECK(blocks({8, 4, 1, 8, deep, true, false}) == BlockSizes{32, 32, 256});
    CHECK(blocks({8, 4, 1, 8, deep, false, true}) == BlockSizes{768, 64, 256});
    CHECK(blocks({8, 8, 1, 8, deep, true, true}) == BlockSizes{32, 64, 256});
    // Where both are packed and L1 is too small for a panel of B it is A that stays in L2, unless k is short.
    CHECK(blocks({8, 16, 1, 8, deep, true, true}) == BlockSizes{32, 4096, 256});
    CHECK(blocks({8, 16, 1, 8, 255, true, true}) == BlockSizes{32, 64, 255});
    // Elements of half the size: 256 strips, 64 rows in tiles of 16.
    CHECK(blocks({16, 4, 1, 4, deep, true, false}) == BlockSizes{64, 64, 256});
    CHECK(blocks({16, 4, 1, 4, deep, false, true}) == BlockSizes{768, 128, 256});
    // A k of 300 is nearer to one block of 256 than to two; one of 32 lets L2 hold 1024 strips.
    CHECK(blocks({8, 4, 1, 8, 300, true, false}) == BlockSizes{24, 24, 300});
    CHECK(blocks({8, 4, 1, 8, 32, true, true}) == BlockSizes{256, 512, 32});
    // 51000 are 199 times 256.3; interleaved by 4: 260. Where B is used often, a panel of 6 rows fills 24
    // KiB.
    const CacheSizes larger{{48 * KiB, 12}, {1 * MiB, 16}, {32 * MiB, 16}};
    CHECK(model_blocks({6, 8, 4, 8, 51000, true, true}, larger).kc == 260);
    CHECK(model_blocks({6, 8, 1, 8, deep, false, true, true}, larger) == BlockSizes{768, 128, 512});
    CHECK(model_blocks({6, 8, 1, 8, deep, true, true, true}, larger) == BlockSizes{126, 256, 256});
    CHECK(model_blocks({9, 24, 1, 8, 34100, false, true, true}, larger).kc == 341);
}

TEST_CASE("cache model: what is not known or cannot be is kept within bounds") {
    const CacheSizes usual{{32 * KiB, 8}, {512 * KiB, 8}, {4 * MiB, 16}};
    CHECK(plausible_caches({}) == usual);
    CHECK(plausible_caches({{-1, -1}, {-1, 0}, {0, -5}}) == usual);
    CHECK(plausible_caches({{1, 1}, {1, 1}, {1, 1}}) == CacheSizes{{16 * KiB, 2}, {128 * KiB, 2}, {MiB, 2}});
    const std::int64_t huge = std::int64_t{1} << 62;
    CHECK(plausible_caches({{huge, huge}, {huge, huge}, {huge, huge}}) ==
          CacheSizes{{128 * KiB, 32}, {4 * MiB, 32}, {64 * MiB, 32}});
    CHECK(plausible_caches({{48 * KiB, 12}, {}, {}}).l1 == CacheLevel{48 * KiB, 12});
    // A size without its ways, as some virtual machines have it.
    CHECK(plausible_caches({{48 * KiB, 0}, {MiB, 0}, {32 * MiB, 0}}) ==
          CacheSizes{{48 * KiB, 12}, {MiB, 16}, {32 * MiB, 32}});
    std::set<std::int64_t> depths;
    for (const CacheSizes& caches : {CacheSizes{}, CacheSizes{{1, 1}, {1, 1}, {1, 1}},
                                     CacheSizes{{huge, huge}, {huge, huge}, {huge, huge}}})
        for (const std::int64_t mr : {1, 6, 64, 4096})
            for (const std::int64_t nr : {1, 24, 4096})
                for (const std::int64_t kr : {1, 4, 64})
                    for (const std::int64_t size : {1, 4, 8})
                        for (const bool packed_a : {false, true}) {
                            const BlockSizes blocks =
                                model_blocks({mr, nr, kr, size, 1 << 20, packed_a, true, true}, caches);
                            CHECK((blocks.mc >= mr && blocks.mc % mr == 0 &&
                                   blocks.mc <= std::max<std::int64_t>(mr, 768)));
                            CHECK((blocks.nc >= nr && blocks.nc % nr == 0 &&
                                   blocks.nc <= std::max<std::int64_t>(nr, 4096)));
                            CHECK((blocks.kc >= 255 && blocks.kc % kr == 0 && blocks.kc <= 512));
                            depths.insert(blocks.kc);
                        }
    CHECK(depths.size() > 2); // not everything is a bound
}

TEST_CASE("cache model: larger caches never give smaller blocks of the level that grew") {
    std::int64_t kc = 0, mc = 0, nc = 0;
    const BlockUse of_b{6, 8, 1, 8, 1 << 20, false, true, true}, of_both{6, 8, 1, 8, 1 << 20, true, true};
    for (std::int64_t factor = 1; factor <= 8; factor *= 2) {
        const CacheSizes larger_l1{{16 * KiB * factor, 8}, {}, {}},
            larger_l2{{}, {128 * KiB * factor, 8}, {}};
        CHECK(model_blocks(of_b, larger_l1).kc >= kc);
        CHECK(model_blocks(of_both, larger_l2).mc > mc);
        CHECK(model_blocks(of_b, larger_l2).nc > nc);
        kc = model_blocks(of_b, larger_l1).kc, mc = model_blocks(of_both, larger_l2).mc,
        nc = model_blocks(of_b, larger_l2).nc;
    }
    CHECK(kc == 512);
}

TEST_CASE("cache model: the cost of a tile counts its tails as they are") {
    const auto cost_of_loads = [](double of_a, double of_b) { return of_a / 2 + of_b * 5 / 8; };
    // 8 x 24 in registers of 8: 24 multiply-adds against 8 + 3 loads a step, of which 3 count thrice.
    CHECK(tile_cost(8, 24, 8, 24, 8, true) == 24 + cost_of_loads(8, 3));
    CHECK(tile_cost(16, 48, 8, 24, 8, true) == 4 * tile_cost(8, 24, 8, 24, 8, true));
    // A last column costs a register of each row, and at least the wait for its sums.
    CHECK(tile_cost(8, 25, 8, 24, 8, true) == tile_cost(8, 24, 8, 24, 8, true) + 11 + cost_of_loads(8, 1));
    CHECK(tile_cost(1, 8, 8, 24, 8, true) == 8 + cost_of_loads(1, 1));
    CHECK(tile_cost(9, 24, 8, 24, 8, true) == tile_cost(8, 24, 8, 24, 8, true) + 10 + cost_of_loads(1, 3));
    // 24 x 8 reads 27 and multiplies 24: the reads count.
    CHECK(tile_cost(24, 8, 24, 8, 8, true) == 27 + cost_of_loads(24, 1));
    CHECK(tile_cost(0, 8, 8, 24, 8, true) == 0);
    // Rows left over of an A in place are shared with the last whole tile: 9 are 4 and 5.
    CHECK(tile_cost(9, 24, 8, 24, 8, false) == 13 + cost_of_loads(4, 3) + 15 + cost_of_loads(5, 3));
    CHECK(tile_cost(3, 24, 8, 24, 8, false) == tile_cost(3, 24, 8, 24, 8, true));
    // Of tiles with 24 to 28 sums in registers of 8, that of 6 rows and 4 registers is cheapest on a large C.
    for (const auto& [mr, nr] : {std::pair{8, 24}, {9, 24}, {4, 48}, {14, 16}, {12, 16}})
        CHECK(tile_cost(5040, 5760, 6, 32, 8, false) < tile_cost(5040, 5760, mr, nr, 8, false));
    // Of tiles with twelve sums in registers of 4 the one of six rows is cheapest: it reads least of B.
    CHECK(tile_cost(12, 24, 6, 8, 4, false) < tile_cost(12, 24, 4, 12, 4, false));
    CHECK(tile_cost(12, 24, 4, 12, 4, false) < tile_cost(12, 24, 2, 24, 4, false));
}

TEST_CASE("cache model: the tile suits the shape, in the kernel's view of it") {
    const KernelInfo kernel = wide_kernel();
    const auto tile_at = [&](std::int64_t m, std::int64_t n, Layout c = Layout::row_major) {
        return tile_text(
            model(kernel, {.m = m, .n = n, .k = 300, .layout_a = c, .layout_b = c, .layout_c = c}));
    };
    CHECK(tile_at(64, 64) == "6x32");
    CHECK(tile_at(3000, 3000) == "6x32");
    CHECK(tile_at(3, 640) == "3x64");
    CHECK(tile_at(3000, 8) == "24x8");
    CHECK(tile_at(14, 16) == "14x16");
    // By columns the driver computes the transpose.
    CHECK(tile_at(8, 3000, Layout::column_major) == "24x8");
    CHECK(tile_at(640, 3, Layout::column_major) == "3x64");
    // 14 rows of A that fall into one set of an L1 of 8 ways are too many, 6 are not.
    const auto tile_of_depth = [&](std::int64_t n, std::int64_t k) {
        return tile_text(model(kernel, {.m = 3000, .n = n, .k = k}));
    };
    CHECK(tile_of_depth(16, 1000) == "14x16");
    CHECK(tile_of_depth(16, 1024) == "8x24");
    CHECK(tile_of_depth(64, 1024) == "6x32");
    // A vector may lie either way; the columns of the matrix decide.
    CHECK(tile_at(640, 1, Layout::column_major) == "3x64");
    CHECK(tile_at(640, 1) == "24x8");
}

TEST_CASE("cache model: every candidate is valid for its shape and within the limit, in every layout") {
    std::set<Packing> packings;
    for (const tg_dtype dtype : {TG_F64, TG_F32}) {
        const KernelInfo kernel = wide_kernel(dtype);
        const Catalogue catalogue = catalogue_of(kernel);
        for (const std::int64_t m : {1, 7, 64, 300, 5000})
            for (const std::int64_t n : {1, 7, 64, 300, 5000})
                for (const std::int64_t k : {1, 50, 300, 5000})
                    for (const char* layouts : {"rrr", "crr", "rcr", "ccr", "rrc", "crc", "rcc", "ccc"})
                        for (const std::int64_t limit : {default_workspace_limit, std::int64_t{65536}}) {
                            GemmShape shape{.m = m, .n = n, .k = k};
                            parse_layouts(layouts, shape);
                            const GemmCandidate candidate = model(kernel, shape, limit);
                            const Validity valid =
                                candidate_valid_for_shape(candidate, shape, limit, catalogue);
                            CHECK_MESSAGE(valid, shape_text(shape)
                                                     << " " << layouts << " " << candidate_id(candidate)
                                                     << ": " << valid.reason);
                            packings.insert(candidate.packing);
                        }
    }
    CHECK(packings.size() == 4); // every way of packing has been met
}

TEST_CASE("cache model: blocks are divided evenly, and no larger than the shape needs") {
    const KernelInfo kernel = wide_kernel();
    const GemmCandidate small = model(kernel, {.m = 13, .n = 70, .k = 20});
    CHECK(small.mc - 13 < small.mr);
    CHECK(small.nc - 70 < small.nr);
    CHECK(small.kc == 20);
    CHECK(small.packing == Packing::none);
    // 520 would leave a block of 8 behind two of 256; 700 are nearer to two blocks of 341 than to three.
    CHECK(model(kernel, {.m = 2000, .n = 2000, .k = 512}).kc == 256);
    CHECK(model(kernel, {.m = 2000, .n = 2000, .k = 520}).kc == 260);
    CHECK(model(kernel, {.m = 2000, .n = 2000, .k = 257}).kc == 257);
    CHECK(model(kernel, {.m = 2000, .n = 2000, .k = 700}).kc == 350);
    CHECK(to_text(small.loop_order) == "n_k_m");
    // A large B that one row of tiles reads is read along its rows; a small one lies in L2 anyway.
    CHECK(candidate_id(model(kernel, {.m = 2, .n = 2000, .k = 1000})) ==
          "3x2048x32:3x64:wide:n_k_m:none:workspace:compute");
    CHECK(model(kernel, {.m = 2, .n = 500, .k = 60}).kc == 60);
    CHECK(model(kernel, {.m = 2, .n = 500, .k = 100, .batch = 100}).kc == 25);
    CHECK(model(kernel, {.m = 2, .n = 500, .k = 60, .batch = 100}).kc == 60);
    // So are the columns of a large A.
    CHECK(model(kernel, {.m = 500, .n = 8, .k = 300, .layout_a = Layout::column_major}).kc == 30);
    CHECK(model(kernel, {.m = 500, .n = 8, .k = 300}).kc == 300);
    // Rows of A that one column of tiles reads are read to their ends, while a quarter of L2 holds of B.
    CHECK(model(kernel, {.m = 500, .n = 8, .k = 2000}).kc == 2000);
    CHECK(model(kernel, {.m = 500, .n = 8, .k = 4000}).kc == 2000);
    CHECK(model(kernel, {.m = 500, .n = 16, .k = 4000}).kc == 250);
    CHECK(model(kernel, {.m = 500, .n = 100, .k = 4000}).kc == 334);
    // A copy of B that few tiles read is not worth deep blocks.
    CHECK(model(kernel, {.m = 2000, .n = 2000, .k = 680}).kc == 340);
    CHECK(model(kernel, {.m = 64, .n = 2000, .k = 680}).kc == 227);
    CHECK(candidate_id(model(kernel, {.m = 2, .n = 64, .k = 200})) ==
          "3x64x200:3x64:wide:n_k_m:none:workspace:compute");
    // A B from afar in place is read along its rows, those on 64 pages at a time, but 32 at least.
    const auto ways = [&](std::int64_t m, std::int64_t n) {
        const GemmCandidate c = model(kernel, {.m = m, .n = n, .k = 2048});
        return std::pair(c.kc, c.nc >= n);
    };
    CHECK(ways(24, 512) == std::pair<std::int64_t, bool>(64, true));
    CHECK(ways(24, 1024) == std::pair<std::int64_t, bool>(32, true));
    CHECK(ways(24, 2000) == std::pair<std::int64_t, bool>(32, true));
    CHECK(ways(36, 128) == std::pair<std::int64_t, bool>(256, true));
}

TEST_CASE("cache model: an operand is packed where that pays, whichever the tile's view of it is") {
    const KernelInfo kernel = wide_kernel();
    const auto packing = [&](std::int64_t m, std::int64_t n, std::int64_t k, const char* layouts) {
        GemmShape shape{.m = m, .n = n, .k = k};
        parse_layouts(layouts, shape);
        return to_text(model(kernel, shape).packing);
    };
    // Half of an L2 of 512 KiB holds a B of 32768 entries.
    CHECK(packing(300, 128, 256, "rrr") == "none");
    CHECK(packing(128, 300, 256, "ccc") == "none");
    CHECK(packing(300, 128, 264, "rrr") == "b");
    CHECK(packing(2000, 2000, 2000, "rrr") == "b");
    // By columns the tile's B is the user's A.
    CHECK(packing(2000, 2000, 2000, "ccc") == "a");
    // A copy that is read in fewer than 24 tiles is not made, unless its rows are far apart.
    CHECK(packing(64, 128, 1000, "rrr") == "none");
    CHECK(packing(64, 2000, 2000, "rrr") == "b");
    CHECK(packing(64, 256, 20000, "rrr") == "b");
    CHECK(packing(64, 248, 20000, "rrr") == "none"); // its rows are neighbours
    CHECK(packing(30, 2000, 2000, "rrr") == "b");
    CHECK(packing(24, 2000, 2000, "rrr") == "none");
    CHECK(packing(12, 2000, 2000, "rrr") == "none");
    // Nor of a B that L2 holds, unless its rows are pages apart and are read in 48 tiles.
    CHECK(packing(288, 1024, 32, "rrr") == "b");
    CHECK(packing(282, 1024, 32, "rrr") == "none");
    CHECK(packing(288, 1000, 32, "rrr") == "none");
    // Nor unless its rows are no whole lines and are read in 24 tiles.
    CHECK(packing(200, 97, 300, "rrr") == "b");
    CHECK(packing(200, 96, 300, "rrr") == "none");
    CHECK(packing(120, 97, 300, "rrr") == "none");
    CHECK(packing(200, 20, 100, "rrr") == "none"); // a tile holds them
    // Two columns of C are staged, and the small B packed, before all of A would be.
    CHECK(packing(1280, 2, 8192, "rcc") == "b");
    // Columns of A are copied, a small A is not, nor for few columns of C.
    CHECK(packing(300, 128, 200, "crr") == "a");
    CHECK(packing(20, 300, 100, "crr") == "none");
    CHECK(packing(300, 24, 300, "crr") == "none");
    // An operand is packed rather than all of C copied.
    CHECK(packing(30, 30, 30, "rrc") == "a");
    // Where A is packed, too, blocks are shallow and wide: each is packed again for every block of B.
    const auto depth = [&](const char* layouts) {
        GemmShape shape{.m = 2000, .n = 2000, .k = 4096};
        parse_layouts(layouts, shape);
        return model_candidate(kernel, shape, {{64 * KiB, 16}, {2 * MiB, 16}, {}}, default_workspace_limit)
            .value()
            .kc;
    };
    CHECK(depth("rrr") == 512);
    CHECK(depth("crr") == 256);
    // What the tile does not take in place is packed in any case.
    CHECK(packing(8, 8, 8, "rcr") == "b");
}

TEST_CASE("cache model: free tiles, kernels with blocking of their own, and tiles that cannot serve") {
    const KernelInfo& scalar = *builtin_catalogue().find("scalar");
    const GemmCandidate free_tile = model(scalar, {.m = 2000, .n = 2000, .k = 2000});
    CHECK(tile_text(free_tile) == "8x8");
    CHECK(valid_candidate(free_tile, default_workspace_limit));
    KernelInfo whole;
    whole.id = "whole";
    whole.whole_gemm = true;
    CHECK(candidate_id(model(whole, {.m = 1, .n = 1, .k = 1})) ==
          "1x1x1:1x1:whole:own:none:workspace:compute");

    KernelInfo in_place = wide_kernel();
    in_place.tiles = {tile_of(8, 24)};
    in_place.tiles[0].access_a = in_place.tiles[0].access_b = TG_ROW_UNIT;
    const auto refused = model_candidate(in_place, {.m = 9, .n = 9, .k = 9, .layout_b = Layout::column_major},
                                         {}, default_workspace_limit);
    REQUIRE_FALSE(refused);
    CHECK_FALSE(refused.refusal().reason.empty());
    CHECK(model_candidate(in_place, {.m = 9, .n = 9, .k = 9}, {}, default_workspace_limit));

    // A tile so wide that a quarter of a small L2 does not hold one row of its panel.
    KernelInfo widest = wide_kernel();
    widest.tiles = {tile_of(1, 8192)};
    const auto candidate =
        model_candidate(widest, {.m = 3, .n = 8000, .k = 1000}, {{}, {1, 1}, {}}, default_workspace_limit);
    REQUIRE(candidate);
    CHECK(candidate.value().kc == 250);
}
