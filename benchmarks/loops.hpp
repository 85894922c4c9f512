// What bench_scalar compares, all in one file and so compiled with the same flags: the portable tile and
// plain loops.
#pragma once
#include <tune_gemm/abi.h>

#include <cstdint>

namespace tune_gemm::bench {

/// portable_tile<double> as a kernel named "bench": free tiles up to 64 x 64, as the scalar plugin has them.
const tg_kernel* portable_kernel();

/// C := A*B for row-major cubes of side n. The textbook nest, one sum at a time.
void triple_loop(std::int64_t n, const double* a, const double* b, double* c);
/// The same sums with the two inner loops exchanged, so that B and C are read along their rows.
void triple_loop_by_rows(std::int64_t n, const double* a, const double* b, double* c);

} // namespace tune_gemm::bench
