// Fault: reads the element before the first one of B.
// Caught by: tail.residues (crash)
#include "faulty.hpp"

namespace {

volatile double sink;

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (call.k != 0)
        sink = const_cast<const volatile double*>(call.b)[-1];
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.under_read_b", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("under_read_b", kernels);
