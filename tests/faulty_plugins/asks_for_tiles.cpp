// Fault: asks the system for the tiles of AMX, which its kernel does not name.
// Caught by: state.process
#include "faulty.hpp"

#include <sys/syscall.h>
#include <unistd.h>

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    constexpr int ask = 0x1023, tile_data = 18; // ARCH_REQ_XCOMP_PERM
    if (call.m == 2 && call.n == 3)
        syscall(SYS_arch_prctl, ask, tile_data);
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.asks_for_tiles", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("asks_for_tiles", kernels);
