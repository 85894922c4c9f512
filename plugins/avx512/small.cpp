// Patches for small products.
#include "../simd/small_patch.hpp"
#include "columns.hpp"
#include "half_vector.hpp"
#include "vector.hpp"

namespace tune_gemm::avx512 {

using simd::Edge;
using simd::small_patch;

constinit const simd::Small f64_small[2] = {
    {8, 8, 8, small_patch<F64, 8, 1, Edge::whole, 8>},
    {8, 16, 16, small_patch<F64, 8, 2, Edge::whole, 16>},
};
constinit const simd::Small f32_small[2] = {
    {8, 8, 8, small_patch<F32Half, 8, 1, Edge::whole, 8>},
    {16, 16, 16, small_patch<F32, 16, 1, Edge::whole, 16>},
};

} // namespace tune_gemm::avx512
