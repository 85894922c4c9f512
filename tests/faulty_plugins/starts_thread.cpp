// Fault: starts a thread that goes on after the call, at m = 2 and n = 3.
// Caught by: state.process
#include "faulty.hpp"

#include <thread>
#include <unistd.h>

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (call.m == 2 && call.n == 3) {
        static const bool started = (std::thread([] { pause(); }).detach(), true);
        static_cast<void>(started);
    }
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.starts_thread", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("starts_thread", kernels);
