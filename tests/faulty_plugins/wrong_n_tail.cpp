// Fault: the test of an odd n looks at m.
// Caught by: tail.residues
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    const std::int64_t pairs = call.n / 2 * 2;
    for (std::int64_t i = 0; i < call.m; ++i)
        for (std::int64_t j = 0; j < pairs; ++j)
            call.c_at(i, j) = call.entry(i, j);
    if (call.m % 2 == 1 && pairs < call.n) // n is meant
        for (std::int64_t i = 0; i < call.m; ++i)
            call.c_at(i, pairs) = call.entry(i, pairs);
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.wrong_n_tail", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("wrong_n_tail", kernels);
