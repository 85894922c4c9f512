// Tiles that lack forms: swapped, staged, both, or refused with a reason; and what the driver promises to a
// tile.
#include "case.hpp"
#include "strict_kernel.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

using namespace tune_gemm;
using namespace tune_gemm::test;

namespace {

struct Seen {
    int runs = 0, refused = 0, swapped = 0, staged = 0, both = 0;
};

/// Runs a kernel over tails, layouts, packings, orders and lays; what it does not refuse must come out bit
/// for bit.
template <class T>
Seen run_forms(const TileOptions& options, const std::string& blocks, double alpha = 1, double beta = 0) {
    StrictKernel<T> kernel(options);
    std::vector<std::byte> workspace;
    Seen seen;
    std::string first;
    for (const std::int64_t m : {1, 4, 5, 8, 9, 17})
        for (const std::int64_t n : {1, 7, 8, 9, 19})
            for (const std::int64_t k : {1, 2, 5, 7})
                for (int layouts = 0; layouts < 8; ++layouts)
                    for (const Lay lay : {Lay::tight, Lay::odd, Lay::negative, Lay::spread}) {
                        const Case<T> given(
                            with_layouts({.m = m, .n = n, .k = k, .batch = 1 + (m + n + k) % 2}, layouts),
                            alpha, beta);
                        // C now and then without a unit stride, whatever A and B have.
                        const Layed<T> layed(given, lay, (m + k) % 3 == 0 ? Lay::spread : lay);
                        for (const Packing packing : every_packing)
                            for (const LoopOrder order : every_order) {
                                const auto candidate = kernel.candidate(blocks, order, packing);
                                AccessPlan access;
                                const auto fault =
                                    run_case(layed, candidate, kernel.catalogue(), workspace, &access);
                                if (fault.starts_with("refused")) {
                                    ++seen.refused;
                                    continue;
                                }
                                ++seen.runs;
                                seen.swapped += access.swapped && !access.staged_c;
                                seen.staged += !access.swapped && access.staged_c;
                                seen.both += access.swapped && access.staged_c;
                                if (first.empty() && !(fault + kernel.breach).empty())
                                    first =
                                        case_text(given.shape, candidate, lay) + ": " + fault + kernel.breach;
                            }
                    }
    INFO(first);
    CHECK(first.empty());
    CHECK(kernel.calls > 0);
    CHECK(kernel.inside == 0);
    CHECK(kernel.visits == seen.runs);
    if (options.selects)
        CHECK(kernel.selected_calls > 0);
    return seen;
}

} // namespace

TEST_CASE("forms: a free tile that takes panels only and C by rows") {
    const Seen seen = run_forms<double>({.a = TG_PACKED, .b = TG_PACKED, .c = TG_ROW_UNIT}, "8x8x4:4x3");
    CHECK(seen.runs > 0);
    CHECK(seen.swapped > 0);
    CHECK(seen.staged > 0); // C without a unit stride
    CHECK(seen.both == 0);
    CHECK(seen.refused == seen.runs * 3); // every packing but ab
}

TEST_CASE(
    "forms: a fixed tile with panels padded by zeros, C by columns, an entry of its own for whole tiles") {
    const Seen seen = run_forms<double>(
        {.mr = 4, .nr = 8, .a = TG_PACKED, .b = TG_PACKED, .c = TG_COL_UNIT, .selects = true}, "8x16x4:4x8");
    CHECK(seen.swapped > 0);
    CHECK(seen.staged > 0);
}

TEST_CASE("forms: a fixed tile in place only, A by columns, B and C by rows") {
    const Seen seen = run_forms<double>(
        {.mr = 4, .nr = 8, .a = TG_COL_UNIT, .b = TG_ROW_UNIT, .c = TG_ROW_UNIT, .selects = true},
        "8x8x4:4x8");
    CHECK(seen.runs > 0);
    CHECK(seen.refused > 0);
    CHECK(seen.swapped > 0); // A row-major of one column and B column-major of one row, ...
    CHECK(seen.staged > 0);
}

TEST_CASE("forms: A by rows in place, B packed: the user's operands may change places") {
    const Seen seen = run_forms<double>({.a = TG_ROW_UNIT, .b = TG_PACKED, .c = TG_ROW_UNIT}, "8x8x4:4x3");
    CHECK(seen.runs > 0);
    CHECK(seen.swapped > 0);
    CHECK(seen.staged > 0);
    CHECK(seen.both > 0);
}

TEST_CASE("forms: A by rows or columns, B in any strides, C by rows or columns") {
    const Seen seen = run_forms<double>(
        {.mr = 3, .nr = 5, .a = TG_ROW_UNIT | TG_COL_UNIT, .b = TG_ANY, .c = TG_ROW_UNIT | TG_COL_UNIT},
        "6x10x3:3x5");
    CHECK(seen.runs > 0);
    CHECK(seen.staged > 0);
}

TEST_CASE("forms: k interleaved by 2, with zeros at odd ends") {
    run_forms<double>({.kr = 2, .a = TG_PACKED, .b = TG_PACKED, .c = TG_ROW_UNIT}, "8x8x4:4x3");
    run_forms<double>({.mr = 4, .nr = 8, .kr = 2, .a = TG_PACKED, .b = TG_PACKED, .c = TG_ROW_UNIT},
                      "8x16x4:4x8");
}

TEST_CASE("forms: panels aligned to 64 bytes, within the declared slack") {
    const TileOptions options{
        .mr = 8, .nr = 8, .a = TG_PACKED, .b = TG_PACKED, .c = TG_ROW_UNIT, .align = 64};
    run_forms<double>(options, "8x16x5:8x8");
}

TEST_CASE("forms: f32") {
    run_forms<float>({.mr = 4, .nr = 8, .a = TG_PACKED, .b = TG_PACKED, .c = TG_COL_UNIT, .selects = true},
                     "8x16x4:4x8");
    run_forms<float>({.a = TG_PACKED, .b = TG_ROW_UNIT, .c = TG_ROW_UNIT}, "8x8x4:4x3", 0.7, -0.3);
    // 1 + 2^-40 is 1 in f32, 2^-200 is 0.
    run_forms<float>({.a = TG_PACKED, .b = TG_PACKED, .c = TG_ROW_UNIT}, "8x8x4:4x3", 1 + 0x1p-40, 0x1p-200);
}

TEST_CASE("forms: alpha and beta reach every way of access") {
    for (const auto& [alpha, beta] : {std::pair{0.7, -0.3}, {-1.0, 1.0}, {1.0, 0.5}}) {
        run_forms<double>({.a = TG_PACKED, .b = TG_PACKED, .c = TG_ROW_UNIT}, "8x8x4:4x3", alpha, beta);
        run_forms<double>({.a = TG_ROW_UNIT, .b = TG_PACKED, .c = TG_ROW_UNIT}, "8x8x4:4x3", alpha, beta);
        // No panels at all: a block of B is copied, scaled, as it is.
        const Seen seen =
            run_forms<double>({.mr = 4, .nr = 8, .a = TG_COL_UNIT, .b = TG_ROW_UNIT, .c = TG_ROW_UNIT},
                              "8x16x4:4x8", alpha, beta);
        CHECK(seen.runs > 0);
        CHECK(seen.swapped > 0);
    }
}

TEST_CASE("forms: what cannot be served is refused by the field at fault") {
    StrictKernel<double> in_place({.mr = 4, .nr = 8, .a = TG_COL_UNIT, .b = TG_ROW_UNIT, .c = TG_ROW_UNIT});
    const TileInfo& tile = in_place.catalogue().kernels().front().tiles.front();
    const auto none = in_place.candidate("8x8x4:4x8", LoopOrder::m_n_k, Packing::none);
    const auto refused = [&](const GemmProblem& problem, const GemmCandidate& candidate) {
        const auto plan = plan_access(problem, candidate, tile);
        REQUIRE(!plan);
        return plan.refusal();
    };
    GemmShape rows{.m = 9, .n = 9, .k = 9};
    CHECK(refused(problem_of(rows), none).field == "layout_a");
    rows.layout_a = Layout::column_major;
    CHECK(plan_access(problem_of(rows), none, tile));
    rows.layout_b = Layout::column_major;
    CHECK(refused(problem_of(rows), none).field == "layout_b");
    auto packed = none;
    packed.packing = Packing::ab;
    CHECK(refused(problem_of(rows), packed).field == "packing");

    StrictKernel<double> dots({.mr = 4, .nr = 8, .a = TG_ROW_UNIT, .b = TG_COL_UNIT, .c = TG_ROW_UNIT});
    const auto scaled =
        plan_access(problem_of({.m = 9, .n = 9, .k = 9, .layout_b = Layout::column_major}, 2.0), none,
                    dots.catalogue().kernels().front().tiles.front());
    REQUIRE(!scaled);
    CHECK(scaled.refusal().field == "alpha");
}

TEST_CASE("forms: in f32 alpha counts as it is rounded") {
    // Takes neither panels nor copies, so alpha has to be 1; 1 + 2^-40 is.
    StrictKernel<float> dots({.mr = 4, .nr = 8, .a = TG_ROW_UNIT, .b = TG_COL_UNIT, .c = TG_ROW_UNIT});
    const auto candidate = dots.candidate("8x8x4:4x8", LoopOrder::m_n_k, Packing::none);
    std::vector<std::byte> workspace;
    const GemmShape shape{.m = 9, .n = 9, .k = 9, .layout_b = Layout::column_major};
    const Case<float> one(shape, 1 + 0x1p-40, 0.5);
    CHECK(run_case(Layed<float>(one, Lay::tight, Lay::tight), candidate, dots.catalogue(), workspace) == "");
    // 2^-200 is 0: A and B are not read.
    Case<float> zero(shape, 0x1p-200, 0.5);
    std::fill(zero.a.begin(), zero.a.end(), std::numeric_limits<float>::quiet_NaN());
    zero.refresh();
    CHECK(run_case(Layed<float>(zero, Lay::tight, Lay::tight), candidate, dots.catalogue(), workspace) == "");
}
