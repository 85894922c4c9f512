// Fault: exports a helper under a name that belongs to others.
// Caught by: library.exports
#include "faulty.hpp"

extern "C" __attribute__((visibility("default"))) void dgemm_() {}

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    faulty::Call(args).multiply();
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.exports_dgemm", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("exports_dgemm", kernels);
