// Products whose operands are spread over addresses of which only the pages with elements exist.
#pragma once
#include "conformance/check.hpp"

namespace tune_gemm::host {

/// Runs small products with each operand's leading dimension, and the batch strides, beyond 32 bits, judged
/// by the oracle: distances that are computed in 32 bits lead to addresses where nothing is. Skips the check
/// where the addresses cannot be had.
template <class T>
void run_far_strides(const CheckContext&, Tally&);

/// Runs products each of whose rows (columns) ends, or begins, at a page that does not exist: whatever is
/// read or written beside a row, and be it put back at once, is a crash.
template <class T>
void run_separate_rows(const CheckContext&, Tally&);

} // namespace tune_gemm::host
