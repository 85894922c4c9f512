// The fused twin of the scalar plugin, for every processor: the oracle of the fast kernels.
//
// Each entry of C is summed in increasing l with one rounding a step, fma(a, b, sum). std::fma is exact on
// every machine: one instruction where the C library finds it, integer arithmetic where there is none. So
// any kernel that is sequential and fused has these bits, and this loop shows what they mean.
#include "../scalar/descriptor.hpp"
#include "../sequential.hpp"

#include <tune_gemm/plugin.hpp>

#include <cmath>

namespace {

using tune_gemm::sequential;

template <class T>
void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const tune_gemm::plugin::TileView<T> tile(*args);
    for (std::int64_t i = 0; i < tile.m(); ++i) {
        for (std::int64_t j = 0; j < tile.n(); ++j) {
            T sum = tile.accumulates() ? tile.c(i, j) : T(0);
            for (std::int64_t l = 0; l < tile.k(); ++l)
                sum = std::fma(tile.a(i, l), tile.b(l, j), sum);
            tile.c(i, j) = sum;
        }
    }
}

template <class T>
constinit const tg_tile any_tile = tune_gemm::portable::tile(run<T>);
template <class T>
constinit const tg_tile* const tiles[] = {&any_tile<T>, nullptr};

constinit const tg_kernel f64 =
    sequential("scalar_fma", "Portable loop, f64, sums in increasing k with fused multiply-adds", TG_F64,
               TG_FUSED, 1, nullptr, tiles<double>);
constinit const tg_kernel f32 =
    sequential("scalar_fma_f32", "Portable loop, f32, sums in increasing k with fused multiply-adds", TG_F32,
               TG_FUSED, 1, nullptr, tiles<float>);
constinit const tg_kernel* const kernels[] = {&f64, &f32, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = {
    .magic = TG_MAGIC,
    .struct_size = sizeof(tg_plugin),
    .abi_major = TG_ABI_MAJOR,
    .abi_minor = TG_ABI_MINOR,
    .name = "scalar_fma",
    .version = "0.1.0",
    .vendor = "tune_gemm",
    .license = "MIT",
    .kernels = kernels,
    .init = nullptr,
    .deinit = nullptr,
};
