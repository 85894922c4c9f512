// The default plugin: the portable loop, for every processor, tile size and layout.
//
// It fixes the arithmetic that everything else is compared with: each entry of C is summed in increasing l,
// products rounded, then sums rounded. Build with -ffp-contract=off and without fast-math.
#include "../sequential.hpp"
#include "descriptor.hpp"

#include <tune_gemm/plugin.hpp>

namespace {

using tune_gemm::sequential;

template <class T>
void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    tune_gemm::plugin::portable_tile<T>(*args);
}

template <class T>
constinit const tg_tile any_tile = tune_gemm::portable::tile(run<T>);
template <class T>
constinit const tg_tile* const tiles[] = {&any_tile<T>, nullptr};

constexpr const char* f64 = "Portable loop, f64, sums in increasing k with two roundings";
constexpr const char* f32 = "Portable loop, f32, sums in increasing k with two roundings";
// For f64 one loop under two names; the rank decides which of them `auto` means.
constinit const tg_kernel scalar =
    sequential("scalar", f64, TG_F64, TG_TWO_ROUNDINGS, 1, nullptr, tiles<double>);
constinit const tg_kernel scalar_f64 =
    sequential("scalar_f64", f64, TG_F64, TG_TWO_ROUNDINGS, 0, nullptr, tiles<double>);
constinit const tg_kernel scalar_f32 =
    sequential("scalar_f32", f32, TG_F32, TG_TWO_ROUNDINGS, 1, nullptr, tiles<float>);
constinit const tg_kernel* const kernels[] = {&scalar, &scalar_f64, &scalar_f32, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = {
    .magic = TG_MAGIC,
    .struct_size = sizeof(tg_plugin),
    .abi_major = TG_ABI_MAJOR,
    .abi_minor = TG_ABI_MINOR,
    .name = "scalar",
    .version = "0.1.0",
    .vendor = "tune_gemm",
    .license = "MIT",
    .kernels = kernels,
    .init = nullptr,
    .deinit = nullptr,
};
