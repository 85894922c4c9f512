// Fault: sets the rounding mode of x87 and leaves it on, at m = 2 and n = 3.
// Caught by: state.float_control
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    const unsigned short control = 0x077F;
    if (call.m == 2 && call.n == 3)
        asm volatile("fldcw %0" ::"m"(control));
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.changes_x87_rounding", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("changes_x87_rounding", kernels);
