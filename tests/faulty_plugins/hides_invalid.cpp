// Fault: computes on what an unused lane holds, at m = 3, and puts the exception flags back.
// Caught by: state.float_control
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (call.m == 3) {
        const unsigned before = __builtin_ia32_stmxcsr();
        volatile double lane = __builtin_inf();
        lane = lane * 0.0;
        __builtin_ia32_ldmxcsr(before);
    }
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.hides_invalid", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("hides_invalid", kernels);
