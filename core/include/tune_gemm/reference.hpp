// The textbook product that everything else is compared with. Written for being seen to be right; shares no
// code with the blocked driver or with packing.
#pragma once
#include <tune_gemm/catalogue.hpp>
#include <tune_gemm/shape.hpp>

#include <span>
#include <vector>

namespace tune_gemm {

/// C = A*B in layout_c. Each entry starts at 0.0 and adds a(i,l)*b(l,j) in increasing l, product rounded,
/// then sum rounded. Throws Error when a or b does not have matrix_length elements.
std::vector<double> gemm_reference(const GemmShape&, std::span<const double> a, std::span<const double> b);
/// The same with one rounding: fma(a(i,l), b(l,j), sum). (In f32 both are gemm_reference_general with alpha =
/// 1, beta = 0.)
std::vector<double> gemm_reference_fused(const GemmShape&, std::span<const double> a,
                                         std::span<const double> b);

/// C = alpha*A*B + beta*C: each entry starts at beta*c (beta = 0: at 0.0, C not read; beta = 1: at c) and
/// adds a(i,l)*(alpha*b(l,j)) in increasing l. alpha = 0 or k = 0: A and B are not read. c holds
/// matrix_length elements. T is float or double; alpha and beta are first rounded to T.
template <class T>
void gemm_reference_general(const GemmShape&, double alpha, std::span<const T> a, std::span<const T> b,
                            double beta, std::span<T> c, tg_muladd);

/// One entry (i, j) of batch `b_index`, as gemm_reference_general computes it with alpha = 1, beta = 0.
template <class T>
T reference_entry(const GemmShape&, std::span<const T> a, std::span<const T> b, std::int64_t b_index,
                  std::int64_t i, std::int64_t j, tg_muladd);

} // namespace tune_gemm
