#include "sample_entries.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace tune_gemm;

namespace {

GemmCandidate blocks(std::int64_t mc, std::int64_t nc, std::int64_t mr, std::int64_t nr) {
    return {.mc = mc, .nc = nc, .kc = 64, .mr = mr, .nr = nr, .microkernel_id = "scalar"};
}

bool contains_row(const std::vector<Entry>& entries, std::int64_t i) {
    return std::any_of(entries.begin(), entries.end(), [=](const Entry& entry) { return entry.i == i; });
}
bool contains_column(const std::vector<Entry>& entries, std::int64_t j) {
    return std::any_of(entries.begin(), entries.end(), [=](const Entry& entry) { return entry.j == j; });
}

void check_cover(const std::vector<Entry>& entries, const GemmShape& shape, std::int64_t mc, std::int64_t nc,
                 std::int64_t mr, std::int64_t nr) {
    std::set<std::pair<std::int64_t, std::int64_t>> residues;
    for (const Entry& entry : entries) {
        CHECK((entry.batch >= 0 && entry.batch < shape.batch));
        CHECK((entry.i >= 0 && entry.i < shape.m));
        CHECK((entry.j >= 0 && entry.j < shape.n));
        residues.emplace(entry.i % mr, entry.j % nr);
    }
    CHECK(static_cast<std::int64_t>(residues.size()) == std::min(mr, shape.m) * std::min(nr, shape.n));
    for (std::int64_t edge = mc; edge < shape.m; edge += mc)
        CHECK((contains_row(entries, edge - 1) && contains_row(entries, edge)));
    for (std::int64_t edge = nc; edge < shape.n; edge += nc)
        CHECK((contains_column(entries, edge - 1) && contains_column(entries, edge)));
    for (const std::int64_t batch : {std::int64_t{0}, shape.batch - 1})
        for (const std::int64_t i : {std::int64_t{0}, shape.m - 1})
            for (const std::int64_t j : {std::int64_t{0}, shape.n - 1})
                CHECK(std::binary_search(entries.begin(), entries.end(), Entry{batch, i, j}));
}

} // namespace

TEST_CASE("every pair of residues, both sides of every edge and the corners are sampled, either way round") {
    for (const GemmShape& shape :
         {GemmShape{.m = 700, .n = 650, .k = 300}, GemmShape{.m = 3, .n = 90000, .k = 500},
          GemmShape{.m = 1000, .n = 1, .k = 1, .batch = 9},
          GemmShape{.m = 9, .n = 7, .k = 1, .batch = 40000}}) {
        for (const auto& c : {blocks(64, 96, 4, 3), blocks(120, 240, 24, 8), blocks(33, 50, 7, 64)}) {
            const auto entries = sample_entries(shape, c, 1, 65536);
            CHECK(std::is_sorted(entries.begin(), entries.end()));
            CHECK(std::adjacent_find(entries.begin(), entries.end()) == entries.end());
            check_cover(entries, shape, c.mc, c.nc, c.mr, c.nr);
            check_cover(entries, shape, c.nc, c.mc, c.nr, c.mr);
        }
    }
}

TEST_CASE("the narrower tile at the end of a block is sampled whole") {
    // Blocks of 10 rows in tiles of 4: rows 8 and 9 of each block are a tile of two. Chance alone would miss
    // some.
    const GemmShape shape{.m = 5022, .n = 1000, .k = 30};
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        std::set<std::pair<std::int64_t, std::int64_t>> places;
        for (const Entry& entry : sample_entries(shape, blocks(1003, 1000, 4, 4), seed, 65536)) {
            if (entry.i < 5015)
                places.emplace(entry.i % 1003, entry.j % 4);
        }
        for (const std::int64_t row : {1000, 1001, 1002})
            for (std::int64_t column = 0; column < 4; ++column)
                CHECK(places.count({row, column}) == 1);
    }
}

TEST_CASE("the same seed gives the same entries, another seed others") {
    const GemmShape shape{.m = 700, .n = 650, .k = 300, .batch = 3};
    const auto first = sample_entries(shape, blocks(64, 96, 4, 3), 1, 65536);
    CHECK(first == sample_entries(shape, blocks(64, 96, 4, 3), 1, 65536));
    CHECK(first != sample_entries(shape, blocks(64, 96, 4, 3), 2, 65536));
}

TEST_CASE("the number of entries is bounded however large tile and shape are") {
    const GemmShape huge{.m = std::int64_t{1} << 40, .n = std::int64_t{1} << 20, .k = 1};
    for (const std::size_t most : {64u, 1000u}) {
        const auto entries = sample_entries(huge, blocks(4096, 4096, 4096, 4096), 3, most);
        CHECK(entries.size() <= most);
        CHECK(entries.size() > most / 2);
        CHECK(std::binary_search(entries.begin(), entries.end(), Entry{0, huge.m - 1, huge.n - 1}));
    }
    GemmCandidate own = blocks(1, 1, 1, 1);
    own.loop_order = LoopOrder::own;
    CHECK(sample_entries(huge, own, 3, 1000).size() <= 1000);
    CHECK(sample_entries({.m = 600, .n = 600, .k = 600}, own, 3, 65536).size() > 256);
}
