// Fault: computes the distance to the last row of C in 32 bits.
// Caught by: plan.far_strides
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    for (std::int64_t i = 0; i < call.m; ++i) {
        const std::int64_t row = i * call.args.rs_c;
        double* c = call.c + (i == 3 ? static_cast<std::int32_t>(row) : row);
        for (std::int64_t j = 0; j < call.n; ++j)
            c[j * call.args.cs_c] = call.entry(i, j);
    }
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.short_distance", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("short_distance", kernels);
