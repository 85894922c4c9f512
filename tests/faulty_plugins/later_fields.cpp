// Fault: reads a field of a later minor version without asking struct_size whether it is there.
// Caught by: tail.residues (crash)
#include "faulty.hpp"

namespace {

struct LaterArgs {
    tg_tile_args known;
    const void* next_tile;
};

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    if (const void* next = reinterpret_cast<const LaterArgs*>(args)->next_tile)
        __builtin_prefetch(next);
    faulty::Call(args).multiply();
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.later_fields", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("later_fields", kernels);
