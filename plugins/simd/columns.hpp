// Tables of patches: every size that a tile, its edges included, can need.
#pragma once
#include <tune_gemm/abi.h>

#include "patch.hpp"

#include <utility>

namespace tune_gemm::simd {

/// The patches of one width with 1 .. most_rows rows: [rows - 1][edge].
template <int most_rows>
struct Patches {
    tg_tile_run entry[most_rows][2];
};

template <class V, int vectors, int... rows>
consteval Patches<sizeof...(rows)> patches_of(std::integer_sequence<int, rows...>) noexcept {
    return {{{&patch<V, rows + 1, vectors, Edge::whole>, &patch<V, rows + 1, vectors, Edge::masked>}...}};
}
template <class V, int vectors, int most_rows>
consteval Patches<most_rows> patches() noexcept {
    return patches_of<V, vectors>(std::make_integer_sequence<int, most_rows>{});
}

/// The patches of some width, whatever their number of rows.
using Column = const tg_tile_run (*)[2];

/// The patch for calls with this m and n, which some tile of the kernel serves. columns[v] holds the patches
/// of v + 1 vectors.
template <int lanes>
inline tg_tile_run find_patch(const Column* columns, const tg_tile_args& args) noexcept {
    const auto n = static_cast<unsigned>(args.n);
    return columns[(n - 1) / lanes][args.m - 1][n % lanes != 0];
}

} // namespace tune_gemm::simd
