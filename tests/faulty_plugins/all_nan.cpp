// Fault: every result is NaN. A suite that compares by `error > bound` lets it pass.
// Caught by: result.integers
#include "faulty.hpp"

#include <limits>

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    for (std::int64_t i = 0; i < call.m; ++i)
        for (std::int64_t j = 0; j < call.n; ++j)
            call.c_at(i, j) = std::numeric_limits<double>::quiet_NaN();
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.all_nan", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("all_nan", kernels);
