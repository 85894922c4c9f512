// Which tile calls make up a block: their sizes, their order, and which entry of the tile serves them.
#include "case.hpp"
#include "strict_kernel.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

using namespace tune_gemm;
using namespace tune_gemm::test;

namespace {

/// A tile call: where in C it works, and how large it is there.
using Call = std::array<std::int64_t, 4>; // i, j, m, n

struct Calls {
    std::vector<Call> list;
    std::int64_t selected = 0;
};

Calls calls_of(const GemmShape& shape, const std::string& blocks, Packing packing, bool selects = false) {
    StrictKernel<double> kernel({.mr = 4,
                                 .nr = 3,
                                 .a = TG_PACKED | TG_ANY,
                                 .b = TG_PACKED | TG_ANY,
                                 .c = TG_ANY,
                                 .selects = selects});
    const Case<double> given(shape, 1, 0);
    std::vector<double> c(given.c.size());
    Calls calls;
    kernel.on_call = [&](const tg_tile_args& args) {
        const auto at = static_cast<const double*>(args.c) - c.data();
        calls.list.push_back({at % (shape.m * shape.n) / shape.n, at % shape.n, args.m, args.n});
    };
    const auto prepared = PreparedGemm::make(
        problem_of(shape), kernel.candidate(blocks, LoopOrder::n_k_m, packing), no_limit, kernel.catalogue());
    REQUIRE(prepared);
    std::vector<std::byte> workspace(static_cast<std::size_t>(prepared.value().workspace_demand()));
    prepared.value().run({.a = given.a.data(), .b = given.b.data(), .c = c.data(), .workspace = workspace});
    CHECK(same_memory(c, given.expected));
    CHECK(kernel.breach == "");
    calls.selected = kernel.selected_calls;
    return calls;
}

} // namespace

TEST_CASE("sweep: rows left over of an A in place are shared by the last two tiles") {
    const std::vector<Call> shared = {{0, 0, 4, 3}, {4, 0, 3, 3}, {7, 0, 2, 3}};
    const std::vector<Call> left = {{0, 0, 4, 3}, {4, 0, 4, 3}, {8, 0, 1, 3}};
    const GemmShape shape{.m = 9, .n = 3, .k = 5};
    CHECK(calls_of(shape, "12x3x5:4x3", Packing::none).list == shared);
    CHECK(calls_of(shape, "12x3x2:4x3", Packing::none).list[1] == shared[1]); // not the direct way
    CHECK(calls_of(shape, "12x3x5:4x3", Packing::b).list == shared);
    CHECK(calls_of(shape, "12x3x5:4x3", Packing::a).list == left); // panels are what they are
    CHECK(calls_of({.m = 8, .n = 3, .k = 5}, "12x3x5:4x3", Packing::none).list ==
          std::vector<Call>{{0, 0, 4, 3}, {4, 0, 4, 3}});
    CHECK(calls_of({.m = 3, .n = 3, .k = 5}, "12x3x5:4x3", Packing::none).list ==
          std::vector<Call>{{0, 0, 3, 3}});
}

TEST_CASE("sweep: C is visited along its rows while the block of B is near, else along its columns") {
    const std::vector<Call> along_rows = {{0, 0, 4, 3}, {0, 3, 4, 1}, {4, 0, 4, 3}, {4, 3, 4, 1}};
    const std::vector<Call> along_columns = {{0, 0, 4, 3}, {4, 0, 4, 3}, {0, 3, 4, 1}, {4, 3, 4, 1}};
    for (const Packing packing : {Packing::none, Packing::b, Packing::ab}) {
        // 4 x 32768 entries are 1 MiB. In blocks of half that depth a large B is near again.
        CHECK(calls_of({.m = 8, .n = 4, .k = 32768}, "8x6x32768:4x3", packing).list == along_rows);
        CHECK(calls_of({.m = 8, .n = 4, .k = 32769}, "8x6x32769:4x3", packing).list == along_columns);
        CHECK(calls_of({.m = 8, .n = 4, .k = 32769}, "8x6x20000:4x3", packing).list[1] == along_rows[1]);
    }
}

TEST_CASE("sweep: the calls of a small product are served by entries for their very sizes") {
    // 2 x 2 tiles of four sizes, twice: nothing is left to the entry for every size.
    const Calls few = calls_of({.m = 7, .n = 4, .k = 5, .batch = 2}, "8x6x5:4x3", Packing::none, true);
    CHECK(few.list.size() == 8);
    CHECK(few.selected == 8);
    // 11 x 3 tiles are one more than are written down: only whole tiles have an entry of their own.
    const Calls many = calls_of({.m = 44, .n = 8, .k = 5}, "44x9x5:4x3", Packing::none, true);
    CHECK(many.list.size() == 33);
    CHECK(many.selected == 22);
    const Calls most = calls_of({.m = 32, .n = 11, .k = 5}, "32x12x5:4x3", Packing::none, true);
    CHECK(most.list.size() == 32);
    CHECK(most.selected == 32);
}
