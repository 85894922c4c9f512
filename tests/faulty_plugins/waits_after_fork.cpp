// Fault: waits for a helper that a fork leaves behind.
// Caught by: concurrency.fork
#include "faulty.hpp"

#include <unistd.h>

namespace {

const pid_t home = getpid();

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (getpid() != home)
        pause(); // for the helper to say that it is done
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.waits_after_fork", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("waits_after_fork", kernels);
