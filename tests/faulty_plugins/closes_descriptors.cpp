// Fault: closes every descriptor, the worker's channel among them.
// Caught by: result.integers (crash)
#include "faulty.hpp"

#include <unistd.h>

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    for (int descriptor = 0; descriptor < 64; ++descriptor)
        ::close(descriptor);
    faulty::Call(args).multiply();
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.closes_descriptors", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("closes_descriptors", kernels);
