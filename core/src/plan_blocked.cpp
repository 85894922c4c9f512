// The plan of a blocked product: everything that a run needs and that does not depend on its data.
#include <tune_gemm/blocked.hpp>

#include "abi_read.hpp"
#include "access_form.hpp"
#include "division.hpp"
#include "plan_layout.hpp"
#include "run_direct.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tune_gemm {
namespace {

/// volatile, for g++ 12.2 at -O2 vectorises two such conversions side by side into none at all.
double rounded_to_f32(double x) noexcept {
    const volatile float narrow = static_cast<float>(x);
    return narrow;
}

/// Makes the unit stride of the form really 1 (it may be another number where it is never used).
void settle_strides(tg_access access, std::int64_t rows, std::int64_t columns, Strides& strides) noexcept {
    const Form form = form_in_place(access, rows, columns, strides.row, strides.column);
    if (form == Form::row_unit)
        strides.column = 1;
    if (form == Form::column_unit)
        strides.row = 1;
}

/// Packed blocks of one side: micro-panels, or for a tile that takes none, one panel as wide as the block.
PanelShape panel_shape(const TileInfo& tile, tg_access access, std::int64_t tile_width,
                       std::int64_t block_width) {
    if ((access & TG_PACKED) == 0)
        return {.width = block_width, .kr = 1, .narrow_last = false};
    return {.width = tile_width, .kr = std::max<std::int64_t>(tile.kr, 1), .narrow_last = tile.is_free()};
}

/// The distance in a packed block between neighbouring depths of a whole panel.
std::int64_t depth_stride(const PanelShape& panel, std::int64_t strips) noexcept {
    return panel.narrow_last ? std::min(panel.width, strips) : panel.width;
}

tg_tile_args typical_args(const BlockedPlan& plan, const TileInfo& tile) {
    const GemmProblem& problem = plan.problem;
    const GemmCandidate& candidate = plan.candidate;
    tg_tile_args args{};
    args.struct_size = sizeof args;
    args.m = std::min(candidate.mr, problem.m);
    args.n = std::min(candidate.nr, problem.n);
    args.k = std::min(plan.block.k, problem.k);
    args.rs_a = plan.access.packed_a ? 1 : problem.a.row;
    args.cs_a = plan.access.packed_a ? depth_stride(plan.panel_a, problem.m) : problem.a.column;
    args.rs_b = plan.access.packed_b ? depth_stride(plan.panel_b, problem.n) : problem.b.row;
    args.cs_b = plan.access.packed_b ? 1 : problem.b.column;
    const bool stage_rows = (tile.access_c & (TG_ROW_UNIT | TG_ANY)) != 0;
    args.rs_c = !plan.access.staged_c ? problem.c.row : stage_rows ? candidate.nc : 1;
    args.cs_c = !plan.access.staged_c ? problem.c.column : stage_rows ? 1 : candidate.mc;
    return args;
}

} // namespace

Outcome<BlockedPlan> plan_layout(const GemmProblem& user, const GemmCandidate& candidate,
                                 const TileInfo& tile, tg_dtype dtype) {
    if (dtype != TG_F64 && dtype != TG_F32)
        return Refusal{"microkernel_id", fmt::format("Kernel {} computes in {}; expected f64 or f32.",
                                                     candidate.microkernel_id, dtype_text(dtype))};
    if (auto fault = problem_fault(user))
        return *fault;

    // alpha and beta act as elements do: whether they are 0 or 1 is asked of the rounded values.
    GemmProblem rounded = user;
    if (dtype == TG_F32) {
        rounded.alpha = rounded_to_f32(user.alpha);
        rounded.beta = rounded_to_f32(user.beta);
    }
    const auto access = plan_access(rounded, candidate, tile);
    if (!access)
        return access.refusal();

    BlockedPlan plan;
    plan.problem = access.value().swapped ? swapped(rounded) : rounded;
    plan.candidate = candidate;
    plan.access = access.value();
    plan.block = {even_block(plan.problem.m, candidate.mc, candidate.mr),
                  even_block(plan.problem.n, candidate.nc, candidate.nr),
                  even_block(plan.problem.k, candidate.kc, std::max<std::int64_t>(tile.kr, 1))};
    plan.panel_a = panel_shape(tile, tile.access_a, candidate.mr, candidate.mc);
    plan.panel_b = panel_shape(tile, tile.access_b, candidate.nr, candidate.nc);
    plan.dtype = dtype;
    plan.align_packed =
        std::max<std::int64_t>(tile.align_packed, static_cast<std::int64_t>(element_size(dtype)));
    settle_strides(tile.access_a, plan.problem.m, plan.problem.k, plan.problem.a);
    settle_strides(tile.access_b, plan.problem.k, plan.problem.n, plan.problem.b);
    settle_strides(tile.access_c, plan.problem.m, plan.problem.n, plan.problem.c);
    plan.typical = typical_args(plan, tile);
    return plan;
}

Outcome<BlockedPlan> plan_blocked(const GemmProblem& user, const GemmCandidate& candidate,
                                  const KernelInfo& kernel, unsigned threads) {
    if (kernel.kernel == nullptr)
        return Refusal{"microkernel_id", fmt::format("Kernel {} is not loaded in this process.", kernel.id)};
    const TileInfo* tile = kernel.find_tile(candidate.mr, candidate.nr);
    if (tile == nullptr || tile->tile == nullptr)
        return Refusal{"mr",
                       fmt::format("Kernel {} has no tile of {}x{}.", kernel.id, candidate.mr, candidate.nr)};
    auto planned = plan_layout(user, candidate, *tile, kernel.arithmetic.dtype);
    if (!planned)
        return planned;
    BlockedPlan& plan = planned.value();
    const tg_kernel described = read_struct(kernel.kernel);
    plan.kernel = kernel.kernel;
    plan.enter = described.enter;
    plan.leave = described.leave;
    const tg_tile entries = read_struct(tile->tile);
    plan.run = entries.run;
    for (const bool accumulate : {false, true})
        plan.selected[accumulate] = choose_entry(plan, entries, plan.typical.m, plan.typical.n, accumulate);
    plan.division = divide(plan, threads);
    plan.direct = direct_way(plan, entries);
    return planned;
}

std::int64_t workspace_demand(const BlockedPlan& plan) noexcept {
    const GemmCandidate& c = plan.candidate;
    const std::int64_t size = static_cast<std::int64_t>(element_size(plan.dtype));
    const std::int64_t members = plan.division.threads, blocks_of_b = packed_blocks_of_b(plan);
    const std::int64_t slack = plan.align_packed > size ? (members + blocks_of_b) * plan.align_packed : 0;
    return size * (members * c.mc * c.kc + blocks_of_b * c.kc * c.nc + members * c.mc * c.nc) + slack;
}

} // namespace tune_gemm
