// One whole product, described: through the blocked driver for a tile kernel, or by a whole-gemm kernel's own
// run.
#pragma once
#include "conformance/family.hpp"
#include "worker/crash_note.hpp"
#include "worker/guarded_memory.hpp"

#include <tune_gemm/candidate.hpp>
#include <tune_gemm/problem.hpp>

#include <string>

namespace tune_gemm::host {

/// What the workspace holds before a run.
enum class Poison : std::uint8_t { signalling_nans, zeros, large_numbers };

struct ProductCase {
    GemmProblem problem;
    GemmCandidate candidate; ///< of a tile kernel: blocks, tile, packing, loop order
    bool whole_gemm = false;
    Placement placement = Placement::flush_end;
    Poison poison = Poison::signalling_nans;
    bool dirty_c = false;         ///< with beta = 0: C held large finite numbers, not signalling NaNs
    bool workspace_exact = false; ///< refuse a demand above workspace_bytes (and the declared slack)
    Recipe recipe;
};

/// "m=3 n=5 k=7 alpha=1 beta=0, A rs 7 cs 1, ..., blocks 16x48x9 m_n_k ab, cancelling data".
std::size_t write_case(const ProductCase&, char* out, std::size_t room) noexcept;
CallNote note_of(const ProductCase&) noexcept;

/// Strides of one of the eight layouts (bit 0: A, 1: B, 2: C; set: column-major) with `pad` elements between
/// neighbouring rows (columns) of every operand, and as many between the matrices of a batch.
void set_layout(GemmProblem&, int layouts, std::int64_t pad);

} // namespace tune_gemm::host
