// Fault: keeps the sums of the last call that had the same operands at the same place.
// Caught by: tail.blocks
#include "faulty.hpp"

namespace {

// A panel of B that is packed anew for the next block of k lies where the last one lay.
const void *last_a = nullptr, *last_b = nullptr;
double kept[4][6];

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    const bool packed =
        args->rs_a == 1 && args->cs_b == 1 && args->rs_b == 6 && call.m == 4 && call.n == 6 && call.k > 4;
    const bool again = packed && last_a == args->a && last_b == args->b && call.accumulate;
    last_a = packed ? args->a : nullptr, last_b = args->b;
    for (std::int64_t i = 0; i < call.m; ++i) {
        for (std::int64_t j = 0; j < call.n; ++j) {
            const double sum = again ? call.start(i, j) + kept[i][j] : call.entry(i, j);
            if (packed && !again)
                kept[i][j] = call.sum(i, j, 0, 0, call.k);
            call.c_at(i, j) = sum;
        }
    }
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.keeps_a", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("keeps_a", kernels);
