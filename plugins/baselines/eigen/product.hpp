// Eigen's product, in a file of its own: that file is compiled for newer processors, the plugin's entry is
// not.
#pragma once
#include "blas_call.hpp"

namespace tune_gemm::baselines {

/// C := alpha*A*B + beta*C for each matrix, A and B being read. Throws std::bad_alloc.
void eigen_product(const Request<double>&, const BlasCall&, const Operands<double>&);
void eigen_product(const Request<float>&, const BlasCall&, const Operands<float>&);

} // namespace tune_gemm::baselines
