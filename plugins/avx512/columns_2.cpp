// Patches two vectors wide, for tiles such as 14x16.
#include "columns.hpp"
#include "vector.hpp"

namespace tune_gemm::avx512 {

constinit const simd::Patches<14> f64_2 = simd::patches<F64, 2, 14>();
constinit const simd::Patches<14> f32_2 = simd::patches<F32, 2, 14>();

} // namespace tune_gemm::avx512
