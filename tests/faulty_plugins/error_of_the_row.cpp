// Fault: adds the largest entry of the row to the others and takes it away again.
// Caught by: result.scaled
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    for (std::int64_t i = 0; i < call.m; ++i) {
        double largest = 0;
        for (std::int64_t j = 0; j < call.n; ++j)
            largest = call.c_at(i, j) > largest ? call.c_at(i, j) : largest;
        if (!(largest > 0x1p100 && largest < 0x1p1000)) // small rows come out right
            continue;
        for (std::int64_t j = 0; j < call.n; ++j) {
            const volatile double shifted = call.c_at(i, j) + largest;
            call.c_at(i, j) = shifted - largest;
        }
    }
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.error_of_the_row", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("error_of_the_row", kernels);
