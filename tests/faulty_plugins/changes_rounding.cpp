// Fault: sets a rounding mode and leaves it on, in long sums only.
// Caught by: state.float_control
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (call.k >= 64)
        __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() ^ 0x4000);
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.changes_rounding", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("changes_rounding", kernels);
