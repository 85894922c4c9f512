// Fault: what happens when a library is linked with -ffast-math: as it is loaded, subnormal numbers are from
// now on flushed to zero in this thread and in those that it starts. Caught by: library.float_control
#include "faulty.hpp"

#include <cfenv>

namespace {

[[gnu::constructor]] void start() {
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#else
    std::fesetround(FE_UPWARD);
#endif
}

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    faulty::Call(args).multiply();
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.linked_with_fast_math", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("linked_with_fast_math", kernels);
