// Fault: goes on from sums in more precision when the same C comes again at once, not from C.
// Caught by: plan.loop_order
#include "faulty.hpp"

namespace {

long double sums[4][6];
const double* last_c = nullptr;

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    const bool again = call.accumulate && call.c == last_c;
    for (std::int64_t i = 0; i < call.m; ++i) {
        for (std::int64_t j = 0; j < call.n; ++j) {
            long double sum = again ? sums[i][j] : static_cast<long double>(call.start(i, j));
            for (std::int64_t l = 0; l < call.k; ++l)
                sum += static_cast<long double>(call.a_at(i, l)) * static_cast<long double>(call.b_at(l, j));
            sums[i][j] = sum;
            call.c_at(i, j) = static_cast<double>(sum);
        }
    }
    last_c = call.c;
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.keeps_sums", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("keeps_sums", kernels);
