// The default grid of candidates.
#pragma once
#include <tune_gemm/candidate.hpp>
#include <tune_gemm/catalogue.hpp>

#include <vector>

namespace tune_gemm {

/// 486 candidates, always the same, nested from outermost to innermost: mc in {32, 64, 128}, nc in {32, 64,
/// 128}, kc in {32, 64}, mr in {2, 4, 8}, nr in {2, 4, 8}, microkernel id in {scalar, scalar_f64, auto}; all
/// with ab, m_n_k, workspace, compute. All are valid at default_grid_limit, 189 at 65536.
///
/// For f32 the same with the ids {scalar_f32, auto}: 324 candidates. Throws Error for another type.
std::vector<GemmCandidate> enumerate_gemm_candidates(tg_dtype = TG_F64);

} // namespace tune_gemm
