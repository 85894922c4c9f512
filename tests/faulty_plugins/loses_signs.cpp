// Fault: loses the sign of A. A suite whose data is all positive lets it pass.
// Caught by: result.integers
#include "faulty.hpp"

#include <cmath>

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    for (std::int64_t i = 0; i < call.m; ++i) {
        for (std::int64_t j = 0; j < call.n; ++j) {
            double sum = call.start(i, j);
            for (std::int64_t l = 0; l < call.k; ++l)
                sum += std::abs(call.a_at(i, l)) * call.b_at(l, j);
            call.c_at(i, j) = sum;
        }
    }
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.loses_signs", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("loses_signs", kernels);
