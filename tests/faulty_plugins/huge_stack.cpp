// Fault: keeps 4 MiB on the stack, at m = 4 and odd k.
// Caught by: state.stack
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (call.m == 4 && call.k % 2 == 1) {
        volatile char panel[4 << 20];
        panel[0] = 1;
        asm volatile("" ::"r"(panel) : "memory");
    }
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.huge_stack", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("huge_stack", kernels);
