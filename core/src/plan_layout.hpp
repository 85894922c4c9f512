// The part of a plan that needs only the description of a tile, not the tile itself.
#pragma once
#include <tune_gemm/blocked.hpp>

namespace tune_gemm {

/// Everything but kernel, run, selected, enter and leave.
Outcome<BlockedPlan> plan_layout(const GemmProblem& user, const GemmCandidate&, const TileInfo&, tg_dtype);

} // namespace tune_gemm
