// Fault: loads the element behind each row of A that is not the last.
// Caught by: tail.padding (crash)
#include "faulty.hpp"

namespace {

volatile double sink;

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    for (std::int64_t i = 0; i + 1 < call.m && call.args.cs_a == 1 && call.k > 0; ++i)
        sink = call.a_at(i, call.k);
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.reads_between_rows", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("reads_between_rows", kernels);
