// Fault: opens a file and leaves it open, at m = 3 and n = 4.
// Caught by: state.process
#include "faulty.hpp"

#include <fcntl.h>

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (call.m == 3 && call.n == 4)
        static_cast<void>(open("/dev/null", O_RDONLY));
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.leaves_descriptor", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("leaves_descriptor", kernels);
