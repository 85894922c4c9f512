// One row as wide as it gets, for the tile 1x128: a row times a matrix.
#include "columns.hpp"
#include "vector.hpp"

namespace tune_gemm::avx512 {

constinit const simd::Patches<1> f64_9 = simd::patches<F64, 9, 1>();
constinit const simd::Patches<1> f32_9 = simd::patches<F32, 9, 1>();
constinit const simd::Patches<1> f64_10 = simd::patches<F64, 10, 1>();
constinit const simd::Patches<1> f32_10 = simd::patches<F32, 10, 1>();
constinit const simd::Patches<1> f64_11 = simd::patches<F64, 11, 1>();
constinit const simd::Patches<1> f32_11 = simd::patches<F32, 11, 1>();
constinit const simd::Patches<1> f64_12 = simd::patches<F64, 12, 1>();
constinit const simd::Patches<1> f32_12 = simd::patches<F32, 12, 1>();
constinit const simd::Patches<1> f64_13 = simd::patches<F64, 13, 1>();
constinit const simd::Patches<1> f32_13 = simd::patches<F32, 13, 1>();
constinit const simd::Patches<1> f64_14 = simd::patches<F64, 14, 1>();
constinit const simd::Patches<1> f32_14 = simd::patches<F32, 14, 1>();
constinit const simd::Patches<1> f64_15 = simd::patches<F64, 15, 1>();
constinit const simd::Patches<1> f32_15 = simd::patches<F32, 15, 1>();
constinit const simd::Patches<1> f64_16 = simd::patches<F64, 16, 1>();
constinit const simd::Patches<1> f32_16 = simd::patches<F32, 16, 1>();

} // namespace tune_gemm::avx512
