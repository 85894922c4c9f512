// Fault: stores six entries of C where there are five, and puts back what lay behind the fifth, but for the
// last row. Caught by: tail.padding (crash)
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    double kept[faulty::mr] = {};
    for (std::int64_t i = 0; i + 1 < call.m && call.n == 5 && call.args.rs_c > 5; ++i)
        kept[i] = call.c_at(i, 5), call.c_at(i, 5) = 0;
    call.multiply();
    for (std::int64_t i = 0; i + 1 < call.m && call.n == 5 && call.args.rs_c > 5; ++i)
        call.c_at(i, 5) = kept[i];
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.writes_and_restores", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("writes_and_restores", kernels);
