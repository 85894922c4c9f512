// tail.strides, which has a file of its own.
#pragma once
#include "conformance/check.hpp"

namespace tune_gemm::host {

/// Strides that are odd, far apart, negative or 0, and every distance between rows up to a line's and more.
/// Skips the check for a whole-gemm kernel, which declares no forms.
void check_strides(const CheckContext&, Tally&);

} // namespace tune_gemm::host
