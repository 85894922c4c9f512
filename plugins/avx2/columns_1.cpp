// Patches one vector wide, for tiles such as 12x4 and for narrow edges.
#include "columns.hpp"
#include "vector.hpp"

namespace tune_gemm::avx2 {

constinit const simd::Patches<12> f64_1 = simd::patches<F64, 1, 12>();
constinit const simd::Patches<12> f32_1 = simd::patches<F32, 1, 12>();

} // namespace tune_gemm::avx2
