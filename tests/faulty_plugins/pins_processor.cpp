// Fault: binds its caller to one processor, at m = 4 and n = 1.
// Caught by: state.process
#include "faulty.hpp"

#include <sched.h>
#include <unistd.h>

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (call.m == 4 && call.n == 1) {
        cpu_set_t allowed, one;
        sched_getaffinity(0, sizeof allowed, &allowed);
        int processor = 0;
        while (!CPU_ISSET(processor, &allowed))
            ++processor;
        CPU_ZERO(&one);
        CPU_SET(processor, &one);
        sched_setaffinity(0, sizeof one, &one);
        static_cast<void>(nice(1)); // shows where there is one processor only, too
    }
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.pins_processor", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("pins_processor", kernels);
