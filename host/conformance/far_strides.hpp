// Products whose operands are spread over hundreds of gigabytes of addresses, of which only the pages with
// elements exist: distances that are computed in 32 bits lead to addresses where nothing is.
#pragma once
#include "conformance/check.hpp"

namespace tune_gemm::host {

/// Runs small products with each operand's leading dimension, and the batch strides, beyond 32 bits, judged
/// by the oracle. Skips the check where the addresses cannot be had.
template <class T>
void run_far_strides(const CheckContext&, Tally&);

} // namespace tune_gemm::host
