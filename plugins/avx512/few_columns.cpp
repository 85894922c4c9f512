// Patches for A by rows and an n of one to four.
#include "../simd/few_columns.hpp"

#include "columns.hpp"
#include "half_vector.hpp"
#include "vector.hpp"

namespace tune_gemm::avx512 {

using simd::few_columns;

constinit const tg_tile_run f64_few_columns[4] = {few_columns<F64, 1, f64_1>, few_columns<F64, 2, f64_1>,
                                                  few_columns<F64, 3, f64_1>, few_columns<F64, 4, f64_1>};
constinit const tg_tile_run f32_few_columns[4] = {few_columns<F32, 1, f32_1>, few_columns<F32, 2, f32_1>,
                                                  few_columns<F32, 3, f32_1>, few_columns<F32, 4, f32_1>};
constinit const tg_tile_run f32_few_columns_long[4] = {
    few_columns<F32Half, 1, f32_1>, few_columns<F32Half, 2, f32_1>, few_columns<F32Half, 3, f32_1>,
    few_columns<F32Half, 4, f32_1>};

} // namespace tune_gemm::avx512
