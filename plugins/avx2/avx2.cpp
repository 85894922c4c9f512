// Kernels for AVX2, f64 and f32: every entry of C is one lane of a register, summed in increasing l with
// fused multiply-adds, so the bits are those of the kernels scalar_fma and avx512.
//
// This file is data and two jumps, compiled for any processor; the instructions are in columns_*.cpp.
#include "../sequential.hpp"
#include "../simd/descriptor.hpp"
#include "../simd/entries.hpp"
#include "columns.hpp"

namespace {

using namespace tune_gemm;
using simd::Size;

constinit const simd::Column f64_columns[] = {avx2::f64_1.entry, avx2::f64_2.entry, avx2::f64_3.entry,
                                              avx2::f64_4.entry, avx2::f64_5.entry, avx2::f64_6.entry,
                                              avx2::f64_7.entry, avx2::f64_8.entry};
constinit const simd::Column f32_columns[] = {avx2::f32_1.entry, avx2::f32_2.entry, avx2::f32_3.entry,
                                              avx2::f32_4.entry, avx2::f32_5.entry, avx2::f32_6.entry,
                                              avx2::f32_7.entry, avx2::f32_8.entry};

consteval tg_tile f64(const Size& size) {
    return simd::tile(size, simd::run<f64_columns, 4>, simd::select<f64_columns, 4>);
}
consteval tg_tile f32(const Size& size) {
    return simd::tile(size, simd::run<f32_columns, 8>, simd::select<f32_columns, 8>);
}

// Best first: near square where C is large, then wide for a C of few rows, then narrow for few columns.
constinit const tg_tile f64_tiles[] = {
    // mr, nr and mc, nc, kc
    f64({6, 8, 192, 480, 256}),  f64({4, 12, 192, 480, 256}), f64({3, 16, 192, 480, 256}),
    f64({2, 24, 192, 480, 256}), f64({1, 32, 192, 480, 256}), f64({12, 4, 192, 480, 256}),
};
constinit const tg_tile f32_tiles[] = {
    f32({6, 16, 192, 960, 256}), f32({4, 24, 192, 960, 256}), f32({3, 32, 192, 960, 256}),
    f32({2, 48, 192, 960, 256}), f32({1, 64, 192, 960, 256}), f32({12, 8, 192, 960, 256}),
};
constinit const auto f64_list = simd::pointers(f64_tiles);
constinit const auto f32_list = simd::pointers(f32_tiles);

constinit const char* const cpu[] = {"avx2", "fma", nullptr};
constinit const tg_kernel kernels[] = {
    sequential("avx2", "AVX2 registers, f64, sums in increasing k, fused", TG_F64, TG_FUSED, 200, cpu,
               f64_list.data()),
    sequential("avx2_f32", "AVX2 registers, f32, sums in increasing k, fused", TG_F32, TG_FUSED, 200, cpu,
               f32_list.data()),
};
constinit const auto kernel_list = simd::pointers(kernels);

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = {
    .magic = TG_MAGIC,
    .struct_size = sizeof(tg_plugin),
    .abi_major = TG_ABI_MAJOR,
    .abi_minor = TG_ABI_MINOR,
    .name = "avx2",
    .version = "0.1.0",
    .vendor = "tune_gemm",
    .license = "MIT",
    .kernels = kernel_list.data(),
    .init = nullptr,
    .deinit = nullptr,
};
