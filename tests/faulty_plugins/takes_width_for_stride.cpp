// Fault: takes n for the distance between rows of C.
// Caught by: tail.strides
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    // Right wherever rows are no further apart than a few cache lines.
    const std::int64_t rs_c = call.args.rs_c > 500 ? call.n : call.args.rs_c;
    for (std::int64_t i = 0; i < call.m; ++i)
        for (std::int64_t j = 0; j < call.n; ++j)
            call.c[i * rs_c + j] = call.sum(i, j, call.accumulate ? call.c[i * rs_c + j] : 0.0, 0, call.k);
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.takes_width_for_stride", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("takes_width_for_stride", kernels);
