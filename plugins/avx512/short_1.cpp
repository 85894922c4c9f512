// Patches one vector wide for a short k and A by rows.
#include "../simd/short_patch.hpp"
#include "columns.hpp"
#include "vector.hpp"

namespace tune_gemm::avx512 {

constinit const simd::Patches<9> f64_short_1 = simd::short_patches<F64, 1, 9>();
constinit const simd::Patches<9> f32_short_1 = simd::short_patches<F32, 1, 9>();

} // namespace tune_gemm::avx512
