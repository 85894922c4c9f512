// Fault: keeps the sum of the last row in single precision.
// Caught by: result.rounding
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    for (std::int64_t j = 0; j < call.n; ++j)
        call.c_at(call.m - 1, j) = static_cast<float>(call.c_at(call.m - 1, j));
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.single_precision", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("single_precision", kernels);
