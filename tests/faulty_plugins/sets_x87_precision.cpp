// Fault: sets the x87 precision, at k = 11.
// Caught by: state.float_control
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    const unsigned short control = 0x027F;
    if (call.k == 11) {
        asm volatile("fldcw %0" ::"m"(control));
    }
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.sets_x87_precision", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("sets_x87_precision", kernels);
