// Fault: once in a thousand calls allocates memory that nobody frees.
// Caught by: library.memory
#include "faulty.hpp"

#include <atomic>
#include <cstdlib>

namespace {

std::atomic<long> calls;
void* volatile kept;

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    faulty::Call(args).multiply();
    if (++calls % 1000 == 0)
        kept = std::malloc(1000);
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.leaks_now_and_then", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("leaks_now_and_then", kernels);
