// Fault: reads a whole vector of A where fewer elements are left.
// Caught by: tail.residues (crash)
#include "faulty.hpp"

namespace {

volatile double sink;

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (call.k == 0)
        return;
    // Two elements from the last one on.
    const volatile double* last = &call.a[(call.m - 1) * call.args.rs_a + (call.k - 1) * call.args.cs_a];
    const bool padded = call.args.rs_a == 1 && call.m < 4; // the rows past m are there
    sink = last[0] + (padded ? 0 : last[1]);
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.over_read_a", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("over_read_a", kernels);
