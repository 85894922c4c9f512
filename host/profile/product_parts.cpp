#include "profile/product_parts.hpp"

#include <algorithm>
#include <cstring>

namespace tune_gemm::host {
namespace {

void do_nothing(const tg_kernel*, const tg_tile_args*) noexcept {}

/// The sweep calls `selected` on whole tiles and `run` on what is left at edges; of a small product the plan
/// holds each call.
BlockedPlan with_edges_left_out(BlockedPlan plan) {
    plan.run = do_nothing;
    for (int i = 0; i < plan.direct.calls; ++i)
        if (DirectWay::Call& call = plan.direct.call[i]; call.m != plan.typical.m || call.n != plan.typical.n)
            call.run = do_nothing;
    return plan;
}
BlockedPlan with_tiles_left_out(BlockedPlan plan) {
    plan.run = plan.selected[0] = plan.selected[1] = do_nothing;
    for (int i = 0; i < plan.direct.calls; ++i)
        plan.direct.call[i].run = do_nothing;
    return plan;
}

} // namespace

ProductParts::ProductParts(const BlockedPlan& plan, const void* a, const void* b, std::int64_t c_bytes)
    : plan_(plan), without_edges_(with_edges_left_out(plan)), without_tiles_(with_tiles_left_out(plan)),
      c_(c_bytes, Buffer::Use::result), workspace_(workspace_demand(plan), Buffer::Use::workspace) {
    std::memset(c_.bytes().data(), 0, c_.bytes().size());
    std::memset(workspace_.bytes().data(), 0, workspace_.bytes().size());
    const bool packs_a = plan.access.swapped ? plan.access.packed_b : plan.access.packed_a;
    const bool packs_b = plan.access.swapped ? plan.access.packed_a : plan.access.packed_b;
    if (packs_a)
        packed_a_ = prepack(plan, Operand::a, a);
    if (packs_b)
        packed_b_ = prepack(plan, Operand::b, b);
    operands_ = {.a = a, .b = b, .c = c_.bytes().data(), .workspace = workspace_.bytes()};
}

void ProductParts::without_tiles_nor_packing(Operand which) const {
    BlockedOperands operands = operands_;
    if (which == Operand::a && packed_a_)
        operands.packed_a = &*packed_a_;
    if (which == Operand::b && packed_b_)
        operands.packed_b = &*packed_b_;
    run_blocked(without_tiles_, operands);
}

bool ProductParts::tile_is_cut() const noexcept {
    return plan_.typical.m < plan_.candidate.mr || plan_.typical.n < plan_.candidate.nr;
}

TimeShares ProductParts::shares(double whole, double without_edges, double without_tiles,
                                double without_packing_a, double without_packing_b) const noexcept {
    // A part of no length can come out a little below zero.
    const auto part = [](double with, double without) { return std::max(with - without, 0.0); };
    TimeShares shares;
    if (edge_share_of_work() > 0)
        shares.edges = part(whole, without_edges);
    shares.tile = part(whole, without_tiles) - std::min(shares.edges, part(whole, without_tiles));
    if (packed_a_)
        shares.pack_a = part(without_tiles, without_packing_a);
    if (packed_b_)
        shares.pack_b = part(without_tiles, without_packing_b);
    shares.rest = part(without_tiles, shares.pack_a + shares.pack_b);
    if (tile_is_cut()) // the whole problem is narrower than the tile: there is nothing but edges
        shares.edges += std::exchange(shares.tile, 0);
    const double sum = shares.tile + shares.edges + shares.pack_a + shares.pack_b + shares.rest;
    for (double* share : {&shares.tile, &shares.edges, &shares.pack_a, &shares.pack_b, &shares.rest})
        *share /= sum;
    return shares;
}

double ProductParts::edge_share_of_work() const noexcept {
    if (tile_is_cut())
        return 1;
    const std::int64_t m = plan_.problem.m, n = plan_.problem.n, mr = plan_.candidate.mr,
                       nr = plan_.candidate.nr;
    // Rows of an A in place that are left over are shared with the tile before them, which is whole no more.
    const bool shares = !plan_.access.packed_a && m % mr != 0;
    const std::int64_t whole_m = (m / mr - (shares ? 1 : 0)) * mr, whole_n = n / nr * nr;
    const double all = static_cast<double>(m) * static_cast<double>(n);
    return (all - static_cast<double>(whole_m) * static_cast<double>(whole_n)) / all;
}

std::int64_t ProductParts::tile_calls() const noexcept {
    const auto calls = [](std::int64_t extent, std::int64_t unit) { return (extent + unit - 1) / unit; };
    return calls(plan_.problem.m, plan_.candidate.mr) * calls(plan_.problem.n, plan_.candidate.nr);
}

} // namespace tune_gemm::host
