// What a kernel finds in places that it must not rely on.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace tune_gemm::host {

/// Added to a pattern: without the upper halves of the registers.
inline constexpr int xmm_only = 2;
/// xmm_only for a kernel that names no AVX among the features that it needs: it cannot see upper halves, and
/// what it has of legacy instructions may be a hundred times slower while they are in use.
int poison_width(const std::vector<std::string>& cpu) noexcept;

/// Fills the vector registers, as far as a call may find anything in them, with a pattern: signalling NaNs
/// (0) or large finite numbers (1), so that an accumulator that is not set to zero shows. Does nothing on
/// other processors than x86-64.
void poison_registers(int pattern) noexcept;

/// Ends what poison_registers began: clears the upper halves, which cost time in code that is not made for
/// them.
void settle_registers() noexcept;

/// Writes the same over the stack below the caller.
void poison_stack(int pattern) noexcept;

/// At least `count` numbers, large and finite, for a C whose contents must not matter. [one thread at a time]
template <class T>
const T* large_numbers(std::int64_t count);

} // namespace tune_gemm::host
