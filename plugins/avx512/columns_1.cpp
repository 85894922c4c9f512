// Patches one vector wide, for tiles such as 24x8 and for narrow edges.
#include "columns.hpp"
#include "vector.hpp"

namespace tune_gemm::avx512 {

constinit const simd::Patches<24> f64_1 = simd::patches<F64, 1, 24>();
constinit const simd::Patches<24> f32_1 = simd::patches<F32, 1, 24>();

} // namespace tune_gemm::avx512
