// The entries of the tiles of one type: the same for all of them, since m and n alone decide.
#pragma once
#include "columns.hpp"

namespace tune_gemm::simd {

/// Serves any call that some tile serves: looks up the patch of this m and n and jumps to it.
template <const auto& columns, int lanes>
void run(const tg_kernel* kernel, const tg_tile_args* args) noexcept {
    find_patch<lanes>(columns, *args)(kernel, args);
}

/// The patch itself, for calls with m and n of `typical` and any strides and flags.
template <const auto& columns, int lanes>
tg_tile_run select(const tg_kernel*, const tg_tile_args* typical) noexcept {
    return find_patch<lanes>(columns, *typical);
}

} // namespace tune_gemm::simd
