// A matrix whose rows are contiguous, times one column or a few: read as memory likes it.
//
// A row of registers over n would be all but empty. Here the lanes are rows of A: sixteen bytes of each of as
// many rows as a register has lanes are put side by side and transposed into columns, so each row is read in
// order and once, and every sum still goes in increasing l, one fma each: the bits are those of patch.
#pragma once
#include <tune_gemm/abi.h>

#include "fetch.hpp"
#include "unrolled.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tune_gemm::simd {

/// Lines of the present row that are fetched before they are read: far enough for memory, and the next lines
/// of a page are what the hardware guesses itself.
inline constexpr std::ptrdiff_t bytes_ahead = 512;

/// `lanes` rows from `row` on, the last of them again where there are fewer; the part of k that comes in
/// whole pieces of sixteen bytes.
template <class V, int columns>
[[gnu::flatten]] inline void few_columns_group(const tg_tile_args& args, std::int64_t row,
                                               std::int64_t pieces) noexcept {
    using T = typename V::Element;
    using Register = typename V::Register;
    constexpr int lanes = V::lanes, depth = 16 / int{sizeof(T)};
    const std::int64_t count = std::min<std::int64_t>(lanes, args.m - row);
    const T* rows[lanes];
    for (int i = 0; i < lanes; ++i)
        rows[i] = static_cast<const T*>(args.a) + (row + std::min<std::int64_t>(i, count - 1)) * args.rs_a;
    T* const c = static_cast<T*>(args.c) + row * args.rs_c;
    alignas(64) T sums[columns][lanes] = {};
    if ((args.flags & TG_ACCUMULATE) != 0)
        for (int i = 0; i < lanes; ++i)
            for (int j = 0; j < columns; ++j)
                sums[j][i] = c[std::min<std::int64_t>(V::row_of_lane(i), count - 1) * args.rs_c + j];
    Register sum[columns];
    unrolled<columns>([&](auto j) { sum[j.value] = V::load(sums[j.value]); });
    const T* b = static_cast<const T*>(args.b);
    constexpr std::int64_t pieces_of_line = 4;
    for (std::int64_t piece = 0; piece < pieces; ++piece) {
        const std::int64_t l = piece * depth;
        if (piece % pieces_of_line == 0)
            for (const T* const row_of_a : rows)
                fetch(reinterpret_cast<std::uintptr_t>(row_of_a + l) + bytes_ahead);
        Register column[depth];
        V::columns_of(rows, l, column);
        unrolled<depth>([&](auto d) {
            unrolled<columns>([&](auto j) {
                sum[j.value] = V::multiply_add(column[d.value], V::spread(b + j.value), sum[j.value]);
            });
            b += args.rs_b;
        });
    }
    unrolled<columns>([&](auto j) { V::store(sums[j.value], sum[j.value]); });
    for (int i = 0; i < lanes; ++i)
        if (V::row_of_lane(i) < count)
            for (int j = 0; j < columns; ++j)
                c[V::row_of_lane(i) * args.rs_c + j] = sums[j][i];
}

/// Any m that `patches` has; n = columns; A in place with cs_a = 1. What is left of k is a patch's, one
/// vector wide, as is a call of another kind.
template <class V, int columns, const auto& patches>
void few_columns(const tg_kernel* kernel, const tg_tile_args* args) noexcept {
    using T = typename V::Element;
    constexpr std::int64_t depth = 16 / int{sizeof(T)};
    static_assert(columns < V::lanes);
    const tg_tile_run rest = patches.entry[args->m - 1][1];
    const std::int64_t pieces = args->k / depth, done = pieces * depth;
    if (args->cs_a != 1 || pieces == 0)
        return rest(kernel, args);
    for (std::int64_t row = 0; row < args->m; row += V::lanes)
        few_columns_group<V, columns>(*args, row, pieces);
    if (done == args->k)
        return;
    tg_tile_args last = *args;
    last.flags |= TG_ACCUMULATE;
    last.k -= done;
    last.a = static_cast<const T*>(args->a) + done;
    last.b = static_cast<const T*>(args->b) + done * args->rs_b;
    rest(kernel, &last);
}

} // namespace tune_gemm::simd
