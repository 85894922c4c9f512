// Needs a library that is not there once the plugin has been copied somewhere else.
#include "sound.hpp"

extern "C" int left_behind(void);

namespace {
void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    if (left_behind() == 1)
        tune_gemm::plugin::portable_tile<double>(*args);
}
constexpr tg_tile make_tile() {
    tg_tile tile = sound::make_tile();
    tile.run = run;
    return tile;
}
constexpr tg_tile tile = make_tile();
constexpr const tg_tile* tiles[] = {&tile, nullptr};
constexpr tg_kernel make_kernel() {
    tg_kernel kernel = sound::make_kernel("test.missing_library");
    kernel.tiles = tiles;
    return kernel;
}
constexpr tg_kernel kernel = make_kernel();
constexpr const tg_kernel* kernels[] = {&kernel, nullptr};
} // namespace
constinit const tg_plugin tune_gemm_plugin_v1 = sound::make_plugin(kernels);
