#include "conformance/plan_choices.hpp"

#include "conformance/product_case.hpp"
#include "conformance/tile_rig.hpp"

#include <algorithm>

namespace tune_gemm::host {
namespace {

GemmCandidate own_candidate(const CheckContext& context) {
    GemmCandidate candidate;
    candidate.microkernel_id = context.kernel.id;
    candidate.mc = candidate.nc = candidate.kc = candidate.mr = candidate.nr = 1;
    candidate.loop_order = LoopOrder::own;
    candidate.packing = Packing::none;
    return candidate;
}

} // namespace

std::int64_t up_to_multiple(std::int64_t value, std::int64_t step) noexcept {
    return (value + step - 1) / step * step;
}

std::vector<std::size_t> tiles_of(const CheckContext& context) {
    if (context.kernel.whole_gemm)
        return {};
    return {static_cast<std::size_t>(context.tile - context.kernel.tiles.data())};
}

Choices base_choices(const CheckContext& context, const TileInfo* tile) {
    Choices made;
    if (tile == nullptr) {
        made.candidates = {own_candidate(context)};
        return made;
    }
    const TileExtents extents = extents_of(*tile);
    GemmCandidate c;
    c.microkernel_id = context.kernel.id;
    c.mr = extents.free ? std::min<std::int64_t>(extents.mr, 5) : extents.mr;
    c.nr = extents.free ? std::min<std::int64_t>(extents.nr, 3) : extents.nr;
    made.m = 2 * c.mr + c.mr / 2 + 1, made.n = 2 * c.nr + c.nr / 2 + 1;
    made.k = std::max<std::int64_t>(37, 4 * extents.unroll + 3);
    c.mc = c.mr, c.nc = 2 * c.nr;
    c.kc = up_to_multiple(extents.unroll + 2, std::max<std::int64_t>(tile->kr, 1));
    made.candidates = {c};
    return made;
}

GemmProblem problem_for(const CheckContext& context, const Choices& choices, int layouts) {
    GemmProblem problem;
    problem.m = choices.m, problem.n = choices.n, problem.k = choices.k;
    set_layout(problem, layouts, layouts % 3);
    // Where alpha and beta go is free for a whole-gemm kernel; with 0 and 1 it does not show.
    problem.alpha = context.kernel.whole_gemm || layouts % 2 == 0 ? 1 : -0.7;
    problem.beta = layouts % 3 == 0 ? 0 : (context.kernel.whole_gemm ? 1 : layouts % 3 == 1 ? 1 : 1.3);
    return problem;
}

} // namespace tune_gemm::host
