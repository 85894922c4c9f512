// Patches two and three vectors wide, for tiles such as 6x8 and 4x12.
#include "columns.hpp"
#include "vector.hpp"

namespace tune_gemm::avx2 {

constinit const simd::Patches<6> f64_2 = simd::patches<F64, 2, 6>();
constinit const simd::Patches<6> f32_2 = simd::patches<F32, 2, 6>();
constinit const simd::Patches<4> f64_3 = simd::patches<F64, 3, 4>();
constinit const simd::Patches<4> f32_3 = simd::patches<F32, 3, 4>();

} // namespace tune_gemm::avx2
