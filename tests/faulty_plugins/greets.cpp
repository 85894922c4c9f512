// Fault: prints a line on standard error when it is loaded.
// Caught by: state.process
#include "faulty.hpp"

#include <cstdio>

namespace {

[[gnu::constructor]] void start() noexcept {
    std::fputs("fast kernels 1.0\n", stderr);
}

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.greets", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("greets", kernels);
