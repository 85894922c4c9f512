// Patches three vectors wide, for tiles such as 8x24.
#include "columns.hpp"
#include "vector.hpp"

namespace tune_gemm::avx512 {

constinit const simd::Patches<9> f64_3 = simd::patches<F64, 3, 9>();
constinit const simd::Patches<9> f32_3 = simd::patches<F32, 3, 9>();

} // namespace tune_gemm::avx512
