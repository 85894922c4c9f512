// Fault: scales A down and the sum up, so that sums which overflow do not.
// Caught by: result.overflow
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    for (std::int64_t i = 0; i < call.m; ++i) {
        for (std::int64_t j = 0; j < call.n; ++j) {
            double sum = call.start(i, j) / 16;
            for (std::int64_t l = 0; l < call.k; ++l)
                sum += call.a_at(i, l) / 16 * call.b_at(l, j);
            call.c_at(i, j) = sum * 16;
        }
    }
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.avoids_overflow", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("avoids_overflow", kernels);
