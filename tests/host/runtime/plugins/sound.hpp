// A sound plugin, from which the wrong ones differ in one point each.
#pragma once
#include <tune_gemm/plugin.hpp>

namespace sound {

inline void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    tune_gemm::plugin::portable_tile<double>(*args);
}

constexpr tg_tile make_tile() {
    tg_tile tile{};
    tile.struct_size = sizeof(tg_tile);
    tile.mr = 4;
    tile.nr = 4;
    tile.access_a = TG_PACKED;
    tile.access_b = TG_PACKED;
    tile.access_c = TG_ANY;
    tile.run = run;
    return tile;
}
inline constexpr tg_tile tile = make_tile();
inline constexpr const tg_tile* tiles[] = {&tile, nullptr};

constexpr tg_kernel make_kernel(const char* id) {
    tg_kernel kernel{};
    kernel.struct_size = sizeof(tg_kernel);
    kernel.microkernel_id = id;
    kernel.summary = "a kernel for tests";
    kernel.type_a = kernel.type_b = kernel.type_c = kernel.type_acc = TG_F64;
    kernel.order = TG_SEQUENTIAL;
    kernel.muladd = TG_TWO_ROUNDINGS;
    kernel.tiles = tiles;
    return kernel;
}

constexpr tg_plugin make_plugin(const tg_kernel* const* kernels) {
    tg_plugin plugin{};
    plugin.magic = TG_MAGIC;
    plugin.struct_size = sizeof(tg_plugin);
    plugin.abi_major = TG_ABI_MAJOR;
    plugin.abi_minor = TG_ABI_MINOR;
    plugin.name = "test plugin";
    plugin.version = "1";
    plugin.vendor = "nobody";
    plugin.license = "MIT";
    plugin.kernels = kernels;
    return plugin;
}

} // namespace sound
