// Fault: takes C for aligned to 16 bytes.
// Caught by: tail.residues (crash)
#include "faulty.hpp"

namespace {

using Pair [[gnu::vector_size(16)]] = double;

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (call.n < 2)
        return;
    auto* first = reinterpret_cast<volatile Pair*>(call.c);
    *first = *first;
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.aligned_access", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("aligned_access", kernels);
