// What the plugins of this family say about themselves. Constants only.
#pragma once
#include <tune_gemm/abi.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace tune_gemm::simd {

/// A register tile and good cache blocks for it, in entries.
struct Size {
    std::uint32_t mr, nr, mc, nc, kc;
};

using Select = tg_tile_run (*)(const tg_kernel*, const tg_tile_args*) noexcept;

/// Entries of A are spread one by one, so any strides will do; rows of B and C are taken a vector at a time.
/// Packed panels begin at a cache line, so that no vector of B lies across two.
consteval tg_tile tile(const Size& size, tg_tile_run run, Select select) {
    return {
        .struct_size = sizeof(tg_tile),
        .mr = size.mr,
        .nr = size.nr,
        .max_mr = 0,
        .max_nr = 0,
        .kr = 1,
        .k_unroll = 1,
        .access_a = TG_PACKED | TG_ROW_UNIT | TG_COL_UNIT | TG_ANY,
        .access_b = TG_PACKED | TG_ROW_UNIT,
        .access_c = TG_ROW_UNIT,
        .align_packed = 64,
        .mc = size.mc,
        .nc = size.nc,
        .kc = size.kc,
        .run = run,
        .select = select,
    };
}

/// A null-terminated array of pointers to the elements.
template <class T, std::size_t count>
consteval std::array<const T*, count + 1> pointers(const T (&elements)[count]) {
    std::array<const T*, count + 1> list{};
    for (std::size_t i = 0; i < count; ++i)
        list[i] = &elements[i];
    return list;
}

} // namespace tune_gemm::simd
