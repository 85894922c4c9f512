// Fault: leaves the work to a child process, which computes right and goes on in its parent's place, while
// the parent computes nothing. Caught by: result.integers
#include "faulty.hpp"

#include <unistd.h>

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    static bool forked = false, child = false;
    if (!forked) {
        forked = true;
        child = ::fork() == 0;
    }
    if (child)
        return faulty::Call(args).multiply();
    ::usleep(100'000); // the child is to be first
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.forks", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("forks", kernels);
