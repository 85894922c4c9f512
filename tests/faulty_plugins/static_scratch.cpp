// Fault: copies A into a static buffer and computes from there.
// Caught by: concurrency.shapes
#include "faulty.hpp"

namespace {

double panel[faulty::mr][4096];

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    if (call.k > 4096)
        return call.multiply();
    for (std::int64_t i = 0; i < call.m; ++i)
        for (std::int64_t l = 0; l < call.k; ++l)
            panel[i][l] = call.a_at(i, l);
    for (std::int64_t i = 0; i < call.m; ++i) {
        for (std::int64_t j = 0; j < call.n; ++j) {
            double sum = call.start(i, j);
            for (std::int64_t l = 0; l < call.k; ++l)
                sum += panel[i][l] * call.b_at(l, j);
            call.c_at(i, j) = sum;
        }
    }
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.static_scratch", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("static_scratch", kernels);
