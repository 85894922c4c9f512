// Asking for a line of memory before it is needed.
#pragma once
#include <cstdint>

namespace tune_gemm::simd {

/// Touches nothing: an address may be anything. Not __builtin_prefetch: what it does is no effect to the
/// compiler, which then drops the lambdas that hold it.
[[gnu::always_inline]] inline void fetch(std::uintptr_t address) noexcept {
    __asm__ volatile("prefetcht0 %a0" : : "r"(address));
}

} // namespace tune_gemm::simd
