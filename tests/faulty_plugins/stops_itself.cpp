// Fault: stops its own process, which never goes on.
// Caught by: result.integers (timeout)
#include "faulty.hpp"

#include <csignal>

namespace {

void run(const tg_kernel*, const tg_tile_args*) noexcept {
    std::raise(SIGSTOP);
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.stops_itself", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("stops_itself", kernels);
