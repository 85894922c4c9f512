// Fault: the last entry is wrong for rows of C that are 67 elements apart.
// Caught by: tail.strides
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (call.args.rs_c == 67 && call.m == 4 && call.n == 6)
        call.c_at(3, 5) += 1;
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.wrong_at_one_stride", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("wrong_at_one_stride", kernels);
