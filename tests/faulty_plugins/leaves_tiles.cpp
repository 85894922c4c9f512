// Fault: leaves a matrix tile in use, at m = 4 and n = 5.
// Caught by: state.upper
#include "faulty.hpp"

#include <sys/syscall.h>
#include <unistd.h>

namespace {

/// One tile of 16 rows of 64 bytes, set to zero and never released.
[[gnu::target("amx-tile")]] void use_tile() noexcept {
    alignas(64) unsigned char configuration[64] = {1};
    configuration[16] = 64, configuration[48] = 16;
    asm volatile("ldtilecfg %0\n\ttilezero %%tmm0" ::"m"(configuration));
}

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    constexpr int ask = 0x1023, tile_data = 18; // ARCH_REQ_XCOMP_PERM
    if (call.m == 4 && call.n == 5 && syscall(SYS_arch_prctl, ask, tile_data) == 0)
        use_tile();
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const char* const cpu[] = {"amx_tile", nullptr};
constexpr tg_kernel with_tiles() {
    tg_kernel made = faulty::kernel("faulty.leaves_tiles", tiles);
    made.cpu = cpu;
    return made;
}
constinit const tg_kernel kernel = with_tiles();
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("leaves_tiles", kernels);
