// Fault: computes on what an unused lane holds, at m = 3 and n = 5.
// Caught by: state.float_flags
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (call.m == 3 && call.n == 5) {
        volatile double lane = __builtin_inf();
        lane = lane * 0.0;
    }
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.raises_invalid", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("raises_invalid", kernels);
