// What the portable loops say about themselves: one free tile that takes everything as it lies. Constants
// only.
#pragma once
#include <tune_gemm/abi.h>

namespace tune_gemm::portable {

/// Any register tile up to the maximum, in every form.
constexpr tg_tile tile(tg_tile_run run) {
    return {
        .struct_size = sizeof(tg_tile),
        .mr = 0,
        .nr = 0,
        .max_mr = 64,
        .max_nr = 64,
        .kr = 1,
        .k_unroll = 1,
        .access_a = TG_PACKED | TG_ROW_UNIT | TG_COL_UNIT | TG_ANY,
        .access_b = TG_PACKED | TG_ROW_UNIT | TG_COL_UNIT | TG_ANY,
        .access_c = TG_ROW_UNIT | TG_COL_UNIT | TG_ANY,
        .align_packed = 0,
        .mc = 128,
        .nc = 128,
        .kc = 64,
        .run = run,
        .select = nullptr,
    };
}

} // namespace tune_gemm::portable
