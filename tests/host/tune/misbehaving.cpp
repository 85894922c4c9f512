// A plugin for the tuner to survive: one kernel never returns, one is right until it is timed.
#include "faulty.hpp"

namespace {

void hang(const tg_kernel*, const tg_tile_args*) noexcept {
    for (volatile bool for_ever = true; for_ever;) {
    }
}

/// Right for as many calls as validating a small shape takes; then it writes nothing, very fast.
void tire(const tg_kernel*, const tg_tile_args* args) noexcept {
    static std::int64_t calls = 0;
    if (++calls < 200)
        faulty::Call(args).multiply();
}

constinit const tg_tile hanging = faulty::tile(hang), tiring = faulty::tile(tire);
constinit const tg_tile* const hanging_tiles[] = {&hanging, nullptr};
constinit const tg_tile* const tiring_tiles[] = {&tiring, nullptr};
constinit const tg_kernel hangs = faulty::kernel("misbehaving.hangs", hanging_tiles);
constinit const tg_kernel tires = faulty::kernel("misbehaving.tires", tiring_tiles);
constinit const tg_kernel* const kernels[] = {&hangs, &tires, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("misbehaving", kernels);
