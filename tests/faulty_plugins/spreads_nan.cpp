// Fault: multiplies the next row's term by zero and adds it, in one lane.
// Caught by: result.nonfinite
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (call.m == 4 && call.k > 1)
        call.c_at(2, 0) += 0 * (call.a_at(3, 1) * call.b_at(1, 0));
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.spreads_nan", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("spreads_nan", kernels);
