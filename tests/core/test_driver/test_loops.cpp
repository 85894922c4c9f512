// In which order the driver visits blocks, and that it packs each block once a visit.
#include "case.hpp"
#include "strict_kernel.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

using namespace tune_gemm;
using namespace tune_gemm::test;

namespace {

/// One tile call as block coordinates: which block of m, of n and of k.
using Visit = std::array<std::int64_t, 3>;

std::vector<Visit> visits(LoopOrder order) {
    StrictKernel<double> kernel({.mr = 2, .nr = 2, .a = TG_ANY, .b = TG_ANY, .c = TG_ANY});
    // 2 x 3 x 2 blocks of one tile each.
    const Case<double> given({.m = 4, .n = 6, .k = 8}, 1, 0);
    std::vector<double> c(24);
    std::vector<Visit> seen;
    kernel.on_call = [&](const tg_tile_args& args) {
        const auto at_a = static_cast<const double*>(args.a) - given.a.data();
        const auto at_c = static_cast<const double*>(args.c) - c.data();
        seen.push_back({at_c / 6 / 2, at_c % 6 / 2, at_a % 8 / 4});
    };
    const auto prepared =
        PreparedGemm::make(problem_of(given.shape), kernel.candidate("2x2x4:2x2", order, Packing::none),
                           no_limit, kernel.catalogue());
    REQUIRE(prepared);
    std::vector<std::byte> workspace(static_cast<std::size_t>(prepared.value().workspace_demand()));
    prepared.value().run({.a = given.a.data(), .b = given.b.data(), .c = c.data(), .workspace = workspace});
    CHECK(same_memory(c, given.expected));
    return seen;
}

/// True when the product comes out right although A (or B) is destroyed after `calls` tiles: its blocks were
/// all packed by then.
bool survives(Operand destroyed, std::int64_t calls, LoopOrder order, const GemmShape& shape) {
    StrictKernel<double> kernel({.a = TG_PACKED, .b = TG_PACKED, .c = TG_ROW_UNIT});
    const Case<double> given(shape, 1, 0);
    std::vector<double> a = given.a, b = given.b, c(given.c.size());
    kernel.on_call = [&](const tg_tile_args&) {
        auto& operand = destroyed == Operand::a ? a : b;
        if (kernel.calls == calls)
            std::fill(operand.begin(), operand.end(), std::numeric_limits<double>::quiet_NaN());
    };
    const auto prepared = PreparedGemm::make(
        problem_of(shape), kernel.candidate("4x4x4:2x2", order, Packing::ab), no_limit, kernel.catalogue());
    REQUIRE(prepared);
    std::vector<std::byte> workspace(static_cast<std::size_t>(prepared.value().workspace_demand()));
    prepared.value().run({.a = a.data(), .b = b.data(), .c = c.data(), .workspace = workspace});
    return same_memory(c, given.expected);
}

} // namespace

TEST_CASE("loops: m_n_k and n_k_m name the nesting, outermost first") {
    std::vector<Visit> m_n_k, n_k_m;
    for (std::int64_t m = 0; m < 2; ++m)
        for (std::int64_t n = 0; n < 3; ++n)
            for (std::int64_t k = 0; k < 2; ++k)
                m_n_k.push_back({m, n, k});
    for (std::int64_t n = 0; n < 3; ++n)
        for (std::int64_t k = 0; k < 2; ++k)
            for (std::int64_t m = 0; m < 2; ++m)
                n_k_m.push_back({m, n, k});
    CHECK(visits(LoopOrder::m_n_k) == m_n_k);
    CHECK(visits(LoopOrder::n_k_m) == n_k_m);
}

TEST_CASE("loops: a block is packed only when it is not the one in the buffer") {
    // Four blocks of m (of four tiles each), one of n and k: B is packed once, before the first tile.
    const GemmShape tall{.m = 16, .n = 4, .k = 4};
    CHECK(survives(Operand::b, 1, LoopOrder::m_n_k, tall));
    CHECK(survives(Operand::b, 1, LoopOrder::n_k_m, tall));
    CHECK(!survives(Operand::a, 1, LoopOrder::n_k_m, tall));
    CHECK(survives(Operand::a, 13, LoopOrder::n_k_m, tall)); // the last of its blocks
    // Four blocks of n: now A is packed once.
    const GemmShape wide{.m = 4, .n = 16, .k = 4};
    CHECK(survives(Operand::a, 1, LoopOrder::m_n_k, wide));
    CHECK(survives(Operand::a, 1, LoopOrder::n_k_m, wide));
    CHECK(!survives(Operand::b, 1, LoopOrder::m_n_k, wide));
    // Two blocks of k, two of m: n_k_m packs each block of B once, m_n_k again for every block of m.
    const GemmShape deep{.m = 8, .n = 4, .k = 8};
    CHECK(survives(Operand::b, 9, LoopOrder::n_k_m, deep));
    CHECK(!survives(Operand::b, 9, LoopOrder::m_n_k, deep));
}

TEST_CASE("loops: an operand that the whole batch shares stays packed") {
    const Case<double> given({.m = 4, .n = 4, .k = 4}, 1, 0);
    StrictKernel<double> kernel({.a = TG_PACKED, .b = TG_PACKED, .c = TG_ROW_UNIT});
    std::vector<double> a = given.a, c(3 * 16);
    kernel.on_call = [&](const tg_tile_args&) {
        std::fill(a.begin(), a.end(), std::numeric_limits<double>::quiet_NaN());
    };
    GemmProblem problem = problem_of(given.shape);
    problem.batch = 3;
    problem.a.batch = problem.b.batch = 0;
    const auto prepared = PreparedGemm::make(
        problem, kernel.candidate("4x4x4:2x2", LoopOrder::m_n_k, Packing::ab), no_limit, kernel.catalogue());
    REQUIRE(prepared);
    std::vector<std::byte> workspace(static_cast<std::size_t>(prepared.value().workspace_demand()));
    prepared.value().run({.a = a.data(), .b = given.b.data(), .c = c.data(), .workspace = workspace});
    for (std::size_t x = 0; x < c.size(); ++x)
        CHECK(c[x] == given.expected[x % 16]);
}

TEST_CASE("loops: with beta = 0 the first block of k writes C without adding to it, every other adds") {
    for (const tg_access c_access : {TG_ROW_UNIT, TG_COL_UNIT}) { // the second is swapped or staged
        for (const double beta : {0.0, 1.0, 0.5}) {
            StrictKernel<double> kernel(
                {.a = TG_ROW_UNIT, .b = TG_PACKED, .c = static_cast<tg_access>(c_access)});
            const Case<double> given({.m = 4, .n = 4, .k = 12}, 1, beta);
            std::vector<bool> adds;
            kernel.on_call = [&](const tg_tile_args& args) {
                adds.push_back((args.flags & TG_ACCUMULATE) != 0);
            };
            std::vector<std::byte> workspace;
            const auto candidate = kernel.candidate("4x4x4:4x4", LoopOrder::n_k_m, Packing::b);
            CHECK(run_case(Layed<double>(given, Lay::tight, Lay::tight), candidate, kernel.catalogue(),
                           workspace) == "");
            CHECK(adds == std::vector<bool>{beta != 0, true, true});
        }
    }
}
