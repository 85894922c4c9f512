// Kernels for AVX-512, f64 and f32: every entry of C is one lane of a register, summed in increasing l with
// fused multiply-adds, so the bits are those of the kernels scalar_fma and avx2.
//
// This file is data and a few jumps, compiled for any processor; the instructions are in columns_*.cpp.
#include "../sequential.hpp"
#include "../simd/descriptor.hpp"
#include "../simd/entries.hpp"
#include "columns.hpp"

#include <iterator>

namespace {

using namespace tune_gemm;
using simd::Size;

constinit const simd::Column f64_columns[] = {
    avx512::f64_1.entry,  avx512::f64_2.entry,  avx512::f64_3.entry,  avx512::f64_4.entry,
    avx512::f64_5.entry,  avx512::f64_6.entry,  avx512::f64_7.entry,  avx512::f64_8.entry,
    avx512::f64_9.entry,  avx512::f64_10.entry, avx512::f64_11.entry, avx512::f64_12.entry,
    avx512::f64_13.entry, avx512::f64_14.entry, avx512::f64_15.entry, avx512::f64_16.entry};
constinit const simd::Column f32_columns[] = {
    avx512::f32_1.entry,  avx512::f32_2.entry,  avx512::f32_3.entry,  avx512::f32_4.entry,
    avx512::f32_5.entry,  avx512::f32_6.entry,  avx512::f32_7.entry,  avx512::f32_8.entry,
    avx512::f32_9.entry,  avx512::f32_10.entry, avx512::f32_11.entry, avx512::f32_12.entry,
    avx512::f32_13.entry, avx512::f32_14.entry, avx512::f32_15.entry, avx512::f32_16.entry};

constinit const simd::Column f64_half = avx512::f64_short_half.entry, f32_half = avx512::f32_short_half.entry;
constinit const simd::Column f64_short[] = {avx512::f64_short_1.entry, avx512::f64_short_2.entry};
constinit const simd::Column f32_short[] = {avx512::f32_short_1.entry, avx512::f32_short_2.entry};

/// Whether the patches for a short k serve calls like this one, and pay: beyond some depth what they save
/// for each call is nothing, and they do not fetch the next tile's operands.
template <int lanes>
bool is_short(const tg_tile_args& typical) noexcept {
    constexpr int most_rows = 9, most_vectors = 2, short_k = 64;
    return typical.cs_a == 1 && typical.m <= most_rows && typical.n <= most_vectors * lanes &&
           typical.k <= short_k;
}

/// Whether rows of A, long ones and many, are read in place for an n that leaves most lanes empty. Few rows,
/// as of the last columns of a square, are faster spread.
bool has_few_columns(const tg_tile_args& typical) noexcept {
    return typical.n <= std::ssize(avx512::f64_few_columns) && typical.cs_a == 1 && typical.rs_a != 1 &&
           typical.m >= 16 && typical.k >= 32;
}

tg_tile_run select_f64(const tg_kernel*, const tg_tile_args* typical) noexcept {
    if (const tg_tile_run small = simd::find_small(avx512::f64_small, *typical))
        return small;
    if (has_few_columns(*typical))
        return avx512::f64_few_columns[typical->n - 1];
    if (is_short<8>(*typical)) // what half a register holds goes there
        return typical->n <= 4 ? simd::find_patch<4>(&f64_half, *typical)
                               : simd::find_patch<8>(f64_short, *typical);
    return simd::find_patch<8>(f64_columns, *typical);
}
tg_tile_run select_f32(const tg_kernel*, const tg_tile_args* typical) noexcept {
    if (const tg_tile_run small = simd::find_small(avx512::f32_small, *typical))
        return small;
    constexpr std::int64_t long_k = 1024;
    if (has_few_columns(*typical))
        return (typical->k > long_k ? avx512::f32_few_columns_long : avx512::f32_few_columns)[typical->n - 1];
    if (is_short<16>(*typical))
        return typical->n <= 8 ? simd::find_patch<8>(&f32_half, *typical)
                               : simd::find_patch<16>(f32_short, *typical);
    return simd::find_patch<16>(f32_columns, *typical);
}

consteval tg_tile f64(const Size& size) {
    return simd::tile(size, simd::run<f64_columns, 8>, select_f64);
}
consteval tg_tile f32(const Size& size) {
    return simd::tile(size, simd::run<f32_columns, 16>, select_f32);
}

// Best first: near square where C is large, then wide for a C of few rows, then narrow for few columns, then
// a single row.
constinit const tg_tile f64_tiles[] = {
    // mr, nr and mc, nc, kc
    f64({8, 24, 192, 480, 256}),  f64({9, 24, 189, 480, 256}),  f64({6, 32, 192, 480, 256}),
    f64({14, 16, 196, 480, 256}), f64({12, 16, 192, 480, 256}), f64({4, 48, 192, 480, 256}),
    f64({3, 64, 192, 512, 256}),  f64({24, 8, 192, 480, 256}),  f64({1, 128, 192, 512, 256}),
};
constinit const tg_tile f32_tiles[] = {
    f32({8, 48, 192, 960, 256}),   f32({9, 48, 189, 960, 256}),  f32({6, 64, 192, 960, 256}),
    f32({14, 32, 196, 960, 256}),  f32({12, 32, 192, 960, 256}), f32({4, 96, 192, 960, 256}),
    f32({3, 128, 192, 1024, 256}), f32({24, 16, 192, 960, 256}), f32({1, 256, 192, 1024, 256}),
};
constinit const auto f64_list = simd::pointers(f64_tiles);
constinit const auto f32_list = simd::pointers(f32_tiles);

constinit const char* const cpu[] = {"avx512f", "avx512dq", "avx512vl", "fma", nullptr};
constinit const tg_kernel kernels[] = {
    sequential("avx512", "AVX-512 registers, f64, sums in increasing k, fused", TG_F64, TG_FUSED, 300, cpu,
               f64_list.data()),
    sequential("avx512_f32", "AVX-512 registers, f32, sums in increasing k, fused", TG_F32, TG_FUSED, 300,
               cpu, f32_list.data()),
};
constinit const auto kernel_list = simd::pointers(kernels);

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = {
    .magic = TG_MAGIC,
    .struct_size = sizeof(tg_plugin),
    .abi_major = TG_ABI_MAJOR,
    .abi_minor = TG_ABI_MINOR,
    .name = "avx512",
    .version = "0.1.0",
    .vendor = "tune_gemm",
    .license = "MIT",
    .kernels = kernel_list.data(),
    .init = nullptr,
    .deinit = nullptr,
};
