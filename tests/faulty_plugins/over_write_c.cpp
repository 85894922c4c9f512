// Fault: stores whole vectors of two where one entry is left.
// Caught by: tail.residues
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (call.n % 2 == 1)
        for (std::int64_t i = 0; i < call.m; ++i)
            (&call.c_at(i, call.n - 1))[1] = 0;
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.over_write_c", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("over_write_c", kernels);
