// Fault: writes above its return address, where another calling convention has room for it, with B in place
// and n = 1. Caught by: state.registers
#include "faulty.hpp"

namespace {

__attribute__((noinline)) void store_above(void* frame) noexcept {
    static_cast<volatile std::uint64_t*>(frame)[2] = 0; // saved rbp, return address, and then the caller's
}

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (call.n == 1 && args->rs_b != faulty::nr)
        store_above(__builtin_frame_address(0));
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.writes_shadow_space", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("writes_shadow_space", kernels);
