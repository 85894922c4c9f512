// Starts libxsmm without what its start leaves in the process.
#pragma once

namespace tune_gemm::baselines {

/// Initialises libxsmm, if it has not been. Version 1.17 then
/// * sets OMP_PROC_BIND=TRUE unless the user asked for some binding: a libgomp that is loaded later would pin
///   the calling thread to one processor. The variable is removed again;
/// * opens /tmp/.libxsmm.UID, locks it, and keeps the descriptor. It is closed again.
/// To be called by one thread while no other reads or writes the environment.
void start_libxsmm_quietly() noexcept;

} // namespace tune_gemm::baselines
