// Fault: loads from where the next tile's A starts, rather than prefetching.
// Caught by: tail.residues (crash)
#include "faulty.hpp"

namespace {

volatile double sink;

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (args->next_a != nullptr)
        sink = *static_cast<const double*>(args->next_a);
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.loads_hint", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("loads_hint", kernels);
