// The tables of patches of AVX-512, made in the files columns_*.cpp, the only ones with its instructions.
#pragma once
#include "../simd/columns.hpp"
#include "../simd/small_patch.hpp"

namespace tune_gemm::avx512 {

// By element type and width in vectors. The rows are as many as the registers hold beside a row of B and an
// entry of A.
extern const simd::Patches<24> f64_1, f32_1;
extern const simd::Patches<14> f64_2, f32_2;
extern const simd::Patches<9> f64_3, f32_3;
extern const simd::Patches<6> f64_4, f32_4;
extern const simd::Patches<4> f64_5, f32_5;
extern const simd::Patches<4> f64_6, f32_6;
extern const simd::Patches<3> f64_7, f32_7;
extern const simd::Patches<3> f64_8, f32_8;
extern const simd::Patches<1> f64_9, f64_10, f64_11, f64_12, f64_13, f64_14, f64_15, f64_16;
extern const simd::Patches<1> f32_9, f32_10, f32_11, f32_12, f32_13, f32_14, f32_15, f32_16;

extern const simd::Small f64_small[2], f32_small[2];

/// For a short k and A by rows: half a vector, one and two wide, with as many rows as there are registers for
/// addresses.
extern const simd::Patches<9> f64_short_half, f32_short_half, f64_short_1, f32_short_1, f64_short_2,
    f32_short_2;

/// By the number of columns, from one on. Long rows come from memory, which serves eight at a time faster
/// than sixteen; short ones are in a cache, where it is the sums that wait.
extern const tg_tile_run f64_few_columns[4], f32_few_columns[4], f32_few_columns_long[4];

} // namespace tune_gemm::avx512
