// The entries of the AVX2 tiles: the same for all tiles of a type, since m and n alone decide.
#pragma once
#include <tune_gemm/abi.h>

namespace tune_gemm::avx2 {

/// Serves any call that some tile serves: looks up the patch of this m and n and jumps to it.
void run_f64(const tg_kernel*, const tg_tile_args*) noexcept;
void run_f32(const tg_kernel*, const tg_tile_args*) noexcept;
/// The patch itself, for calls with m and n of `typical` and any strides and flags.
tg_tile_run select_f64(const tg_kernel*, const tg_tile_args* typical) noexcept;
tg_tile_run select_f32(const tg_kernel*, const tg_tile_args* typical) noexcept;

} // namespace tune_gemm::avx2
