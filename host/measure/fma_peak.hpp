// How fast this processor multiplies and adds at best: what shares of a peak are shares of.
#pragma once
#include <tune_gemm/abi.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tune_gemm::host {

/// A loop of fused multiply-adds on registers only, with more independent sums than the units can have in
/// flight. Written in assembly: compilers spill the sums of such loops, and then show half the peak.
struct FmaLoop {
    std::string name;                           ///< "AVX-512", "AVX2"
    void (*run)(std::int64_t repeats) noexcept; ///< needs the processor to have the instructions
    double flop_per_repeat;
};

/// The widest loop whose instructions are among `features` (as in /proc/cpuinfo). `run` is null when there is
/// none.
FmaLoop fma_loop(tg_dtype, const std::vector<std::string>& features);

} // namespace tune_gemm::host
