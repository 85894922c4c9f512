// Fault: starts a timer that ends the process much later, at m = 2.
// Caught by: state.process
#include "faulty.hpp"

#include <sys/time.h>

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    itimerval later{};
    later.it_value.tv_sec = 10000;
    if (call.m == 2)
        setitimer(ITIMER_PROF, &later, nullptr);
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.starts_timer", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("starts_timer", kernels);
