// Fault: two rows change places, at m = 4, n = 1 and an odd k only.
// Caught by: tail.residues
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    for (std::int64_t i = 0; i < call.m; ++i) {
        for (std::int64_t j = 0; j < call.n; ++j) {
            const bool swapped = call.m == 4 && call.n == 1 && call.k % 2 == 1 && (i == 1 || i == 2);
            call.c_at(i, j) = call.sum(swapped ? 3 - i : i, j, call.start(i, j), 0, call.k);
        }
    }
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.permuted_rows", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("permuted_rows", kernels);
