// Fault: leaves the upper halves of vector registers in use, at m = 4 and n = 5.
// Caught by: state.upper
#include "faulty.hpp"

namespace {

/// As a compiler's function for AVX would, it would clear them; written in assembly it does not.
[[gnu::naked, gnu::noinline]] void widen() noexcept {
    asm("vcmptrueps %ymm0, %ymm0, %ymm0\n\tret");
}

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (call.m == 4 && call.n == 5)
        widen();
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.leaves_upper", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("leaves_upper", kernels);
