// Fault: a sum is wrong when three threads are in the tile at once.
// Caught by: concurrency.shapes
#include "faulty.hpp"

#include <atomic>

namespace {

std::atomic<int> threads_inside{0};

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    const int inside = ++threads_inside;
    call.multiply();
    if (inside >= 3)
        call.c_at(0, 0) += 1;
    --threads_inside;
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.races_with_three", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("races_with_three", kernels);
