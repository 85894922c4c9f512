// The tables of patches of AVX2, made in the files columns_*.cpp, the only ones with its instructions.
#pragma once
#include "../simd/columns.hpp"

namespace tune_gemm::avx2 {

// By element type and width in vectors. The rows are as many as the registers hold beside a row of B and an
// entry of A.
extern const simd::Patches<12> f64_1, f32_1;
extern const simd::Patches<6> f64_2, f32_2;
extern const simd::Patches<4> f64_3, f32_3;
extern const simd::Patches<3> f64_4, f32_4;
extern const simd::Patches<2> f64_5, f32_5;
extern const simd::Patches<2> f64_6, f32_6;
extern const simd::Patches<1> f64_7, f32_7;
extern const simd::Patches<1> f64_8, f32_8;

} // namespace tune_gemm::avx2
