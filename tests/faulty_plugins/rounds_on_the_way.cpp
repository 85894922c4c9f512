// Fault: rounds something on the way that the sums do not show, at m = 4 and k = 9.
// Caught by: state.float_flags
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (call.m == 4 && call.k == 9) {
        volatile double lane = 1.0;
        lane = lane + 0x1p-80;
    }
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.rounds_on_the_way", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("rounds_on_the_way", kernels);
