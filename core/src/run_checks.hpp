// What is checked of the caller's memory before a blocked run touches it, and how its workspace is divided.
#pragma once
#include <tune_gemm/blocked.hpp>

#include <cstddef>
#include <span>

namespace tune_gemm {

/// False for products that are beta*C.
inline bool reads_inputs(const GemmProblem& p) noexcept {
    return p.k != 0 && p.alpha != 0;
}

/// Throws Error (bad_input): workspace too small or misaligned, a packed operand that was made for something
/// else or is taken in place, a null operand that the run reads or writes.
void check_operands(const BlockedPlan&, const BlockedOperands&);

/// What one thread of a run works with: the packed block of A (mc x kc), that of B (kc x nc), which threads
/// may have in common, each aligned to align_packed, and the stage of C (mc x nc). Precondition:
/// check_operands.
struct WorkspaceParts {
    std::byte *a, *b, *c;
};
WorkspaceParts divide_workspace(const BlockedPlan&, std::span<std::byte> workspace, unsigned member) noexcept;

} // namespace tune_gemm
