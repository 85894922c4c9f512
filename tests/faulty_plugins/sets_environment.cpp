// Fault: sets an environment variable for other libraries to find, at m = 2 and n = 2.
// Caught by: state.process
#include "faulty.hpp"

#include <cstdlib>

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (call.m == 2 && call.n == 2)
        setenv("OMP_NUM_THREADS", "1", 0);
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.sets_environment", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("sets_environment", kernels);
