// Fault: prints megabytes, and computes nothing.
// Caught by: result.integers
#include "faulty.hpp"

#include <cstdio>

namespace {

void run(const tg_kernel*, const tg_tile_args*) noexcept {
    for (int line = 0; line < 200'000; ++line)
        std::puts("pass pass pass pass pass pass pass pass pass pass");
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.floods_output", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("floods_output", kernels);
