// Fault: says sequential, but sums even and odd terms apart.
// Caught by: result.rounding
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    for (std::int64_t i = 0; i < call.m; ++i) {
        for (std::int64_t j = 0; j < call.n; ++j) {
            double even = call.start(i, j), odd = 0;
            for (std::int64_t l = 0; l < call.k; ++l)
                (l % 2 == 0 ? even : odd) += call.a_at(i, l) * call.b_at(l, j);
            call.c_at(i, j) = even + odd;
        }
    }
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.two_accumulators", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("two_accumulators", kernels);
