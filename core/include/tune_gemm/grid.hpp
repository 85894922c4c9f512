// The default grid of candidates.
#pragma once
#include <tune_gemm/candidate.hpp>

#include <vector>

namespace tune_gemm {

/// 486 candidates, always the same, nested from outermost to innermost: mc in {32, 64, 128}, nc in {32, 64,
/// 128}, kc in {32, 64}, mr in {2, 4, 8}, nr in {2, 4, 8}, microkernel id in {scalar, scalar_f64, auto}; all
/// with ab, m_n_k, workspace, compute. All are valid at default_grid_limit, 189 at 65536.
std::vector<GemmCandidate> enumerate_gemm_candidates();

} // namespace tune_gemm
