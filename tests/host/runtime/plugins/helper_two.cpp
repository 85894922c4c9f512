// Its tile stores what a helper returns. The helper has the same name in another plugin, and returns another
// value.
#include "sound.hpp"

extern "C" __attribute__((visibility("default"))) double tune_gemm_test_helper() {
    return 2;
}

namespace {
void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    *static_cast<double*>(args->c) = tune_gemm_test_helper();
}
constexpr tg_tile make_tile() {
    tg_tile tile = sound::make_tile();
    tile.run = run;
    return tile;
}
constexpr tg_tile tile = make_tile();
constexpr const tg_tile* tiles[] = {&tile, nullptr};
constexpr tg_kernel make_kernel() {
    tg_kernel kernel = sound::make_kernel("test.helper_two");
    kernel.tiles = tiles;
    return kernel;
}
constexpr tg_kernel kernel = make_kernel();
constexpr const tg_kernel* kernels[] = {&kernel, nullptr};
} // namespace
constinit const tg_plugin tune_gemm_plugin_v1 = sound::make_plugin(kernels);
