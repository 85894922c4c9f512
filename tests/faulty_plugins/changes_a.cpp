// Fault: scales A while it computes, and scales it back.
// Caught by: tail.residues (crash)
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    auto* first = const_cast<double*>(call.a);
    if (call.k == 0)
        return call.multiply();
    *first *= 2;
    *first /= 2;
    call.multiply();
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.changes_a", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("changes_a", kernels);
