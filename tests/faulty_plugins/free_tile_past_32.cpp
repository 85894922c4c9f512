// Fault: a free tile that takes row 33 for row 32.
// Caught by: tail.free
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    for (std::int64_t i = 0; i < call.m; ++i)
        for (std::int64_t j = 0; j < call.n; ++j)
            call.c_at(i, j) = call.sum(i == 32 ? 31 : i, j, call.start(i, j), 0, call.k);
}

constexpr tg_tile free_tile() {
    tg_tile made = faulty::tile(run);
    made.mr = made.nr = 0;
    made.max_mr = made.max_nr = 40;
    return made;
}
constinit const tg_tile tile = free_tile();
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.free_tile_past_32", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("free_tile_past_32", kernels);
