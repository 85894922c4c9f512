// The shortest way through a product, for those that are small or lie well.
#pragma once
#include <tune_gemm/blocked.hpp>

namespace tune_gemm {

/// Whether the plan needs nothing but a sweep, and what that takes to know. For a plan that is complete else.
DirectWay direct_way(const BlockedPlan&) noexcept;

/// False, and nothing has been touched, when the plan or the operands need more than a sweep: then
/// check_operands says whether they are sound.
bool run_direct(const BlockedPlan&, const BlockedOperands&) noexcept;

} // namespace tune_gemm
