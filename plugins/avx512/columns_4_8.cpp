// Wide patches, for tiles such as 6x32, and 4x48 and 3x64 where C has few rows.
#include "columns.hpp"
#include "vector.hpp"

namespace tune_gemm::avx512 {

constinit const simd::Patches<6> f64_4 = simd::patches<F64, 4, 6>();
constinit const simd::Patches<6> f32_4 = simd::patches<F32, 4, 6>();
constinit const simd::Patches<4> f64_5 = simd::patches<F64, 5, 4>();
constinit const simd::Patches<4> f32_5 = simd::patches<F32, 5, 4>();
constinit const simd::Patches<4> f64_6 = simd::patches<F64, 6, 4>();
constinit const simd::Patches<4> f32_6 = simd::patches<F32, 6, 4>();
constinit const simd::Patches<3> f64_7 = simd::patches<F64, 7, 3>();
constinit const simd::Patches<3> f32_7 = simd::patches<F32, 7, 3>();
constinit const simd::Patches<3> f64_8 = simd::patches<F64, 8, 3>();
constinit const simd::Patches<3> f32_8 = simd::patches<F32, 8, 3>();

} // namespace tune_gemm::avx512
