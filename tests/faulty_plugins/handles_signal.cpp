// Fault: takes over the action of a signal when it is loaded.
// Caught by: state.process
#include "faulty.hpp"

#include <csignal>

namespace {

void on_fault(int) {}

[[gnu::constructor]] void start() noexcept {
    std::signal(SIGUSR1, on_fault);
}

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.handles_signal", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("handles_signal", kernels);
