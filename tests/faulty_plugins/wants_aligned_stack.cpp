// Fault: takes its stack to be aligned to 32 bytes, at m = 4 and n = 6 only.
// Caught by: state.registers
#include "faulty.hpp"

namespace {

/// Stores 32 bytes where a function that has its stack aligned to 32 would have them.
__attribute__((target("avx"), noinline)) void spill() noexcept {
    asm volatile("vmovaps %%ymm0, -40(%0)" ::"r"(static_cast<char*>(__builtin_frame_address(0)) - 8)
                 : "memory");
    asm volatile("vzeroupper");
}

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (call.m == 4 && call.n == 6)
        spill();
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.wants_aligned_stack", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("wants_aligned_stack", kernels);
