// Wide patches, for tiles such as 3x16, and 2x24 and 1x32 where C has few rows.
#include "columns.hpp"
#include "vector.hpp"

namespace tune_gemm::avx2 {

constinit const simd::Patches<3> f64_4 = simd::patches<F64, 4, 3>();
constinit const simd::Patches<3> f32_4 = simd::patches<F32, 4, 3>();
constinit const simd::Patches<2> f64_5 = simd::patches<F64, 5, 2>();
constinit const simd::Patches<2> f32_5 = simd::patches<F32, 5, 2>();
constinit const simd::Patches<2> f64_6 = simd::patches<F64, 6, 2>();
constinit const simd::Patches<2> f32_6 = simd::patches<F32, 6, 2>();
constinit const simd::Patches<1> f64_7 = simd::patches<F64, 7, 1>();
constinit const simd::Patches<1> f32_7 = simd::patches<F32, 7, 1>();
constinit const simd::Patches<1> f64_8 = simd::patches<F64, 8, 1>();
constinit const simd::Patches<1> f32_8 = simd::patches<F32, 8, 1>();

} // namespace tune_gemm::avx2
