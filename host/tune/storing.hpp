// Writing what was found out.
#pragma once
#include <tune_gemm/error.hpp>

namespace tune_gemm::host {

/// Carries out `write`. What fails there (a disk that is full) is the fault of the place that was named for
/// the output, so it is an Error of kind bad_input; what was written before stays.
template <class Write>
void storing(Write write) {
    try {
        write();
    } catch (const Error& error) {
        throw_bad_input(error.what());
    }
}

} // namespace tune_gemm::host
