// Fault: writes zeros far over the stack of whoever called it.
// Caught by: result.integers (crash)
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    faulty::Call(args).multiply();
    auto* frame = static_cast<volatile char*>(__builtin_frame_address(0));
    for (int byte = 0; byte < 2048; ++byte)
        frame[byte] = 0;
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.overwrites_stack", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("overwrites_stack", kernels);
