// Fault: clears its caller's exception flags, at m = 1 and n = 1.
// Caught by: state.float_flags
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (call.m == 1 && call.n == 1) {
        __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() & ~0x3Fu);
    }
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.clears_flags", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("clears_flags", kernels);
