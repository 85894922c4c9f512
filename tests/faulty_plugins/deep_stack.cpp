// Fault: keeps 200 KiB on the stack, at m = 4 and n = 6.
// Caught by: state.stack
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (call.m == 4 && call.n == 6) {
        volatile double panel[25600];
        panel[0] = 1.0;
        asm volatile("" ::"r"(panel) : "memory");
    }
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.deep_stack", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("deep_stack", kernels);
