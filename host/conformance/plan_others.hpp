// Several plans of one kernel that live at the same time.
#pragma once
#include "conformance/check.hpp"

namespace tune_gemm::host {

/// Makes plans of different products, and requires that each gives what it gave before however many others
/// are made, run and released in between.
template <class T>
void run_beside_others(const CheckContext&, Tally&);

} // namespace tune_gemm::host
