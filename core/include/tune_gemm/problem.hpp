// A product as the drivers see it: extents, strides, alpha and beta. A transpose is a stride.
#pragma once
#include <tune_gemm/error.hpp>
#include <tune_gemm/shape.hpp>

#include <cstdint>
#include <optional>

namespace tune_gemm {

/// C := alpha*A*B + beta*C for every matrix of the batch; extents >= 0.
struct GemmProblem {
    std::int64_t m = 0, n = 0, k = 0, batch = 1;
    Strides a{}, b{}, c{}; ///< in elements; arbitrary, tight or not
    double alpha = 1, beta = 0;
};

/// The tight problem of a shape.
GemmProblem problem_of(const GemmShape&, double alpha = 1, double beta = 0);
/// C^T = B^T * A^T: m and n, A and B exchanged, rows and columns of every stride exchanged. (alpha's place
/// does not follow: it belongs to the user's B.)
GemmProblem swapped(const GemmProblem&);
/// Why the problem cannot be carried out at all: a negative extent, or a distance within an operand that does
/// not fit 64 bits of bytes. Nothing when it can.
std::optional<Refusal> problem_fault(const GemmProblem&);

} // namespace tune_gemm
