// The shortest way through a product, for those that are small or lie well.
#pragma once
#include <tune_gemm/blocked.hpp>

namespace tune_gemm {

/// What the tile's `select` gives for calls with this m and n; its `run` where it gives nothing.
tg_tile_run choose_entry(const BlockedPlan&, const tg_tile&, std::int64_t rows, std::int64_t columns,
                         bool accumulate) noexcept;

/// Whether the plan needs nothing but a sweep, and what that takes to know. For a plan that is complete else.
DirectWay direct_way(const BlockedPlan&, const tg_tile&) noexcept;

/// False, and nothing has been touched, when the plan or the operands need more than a sweep: then
/// check_operands says whether they are sound.
bool run_direct(const BlockedPlan&, const BlockedOperands&) noexcept;

} // namespace tune_gemm
