// Patches half a vector wide for a short k and A by rows.
#include "../simd/short_patch.hpp"
#include "columns.hpp"
#include "half_vector.hpp"

namespace tune_gemm::avx512 {

constinit const simd::Patches<9> f64_short_half = simd::short_patches<F64Half, 1, 9>();
constinit const simd::Patches<9> f32_short_half = simd::short_patches<F32Half, 1, 9>();

} // namespace tune_gemm::avx512
