// Fault: the entry that select gives for whole tiles forgets to accumulate.
// Caught by: tail.residues
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    faulty::Call(args).multiply();
}

void run_whole(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    for (std::int64_t i = 0; i < 4; ++i)
        for (std::int64_t j = 0; j < 6; ++j)
            call.c_at(i, j) = call.sum(i, j, 0, 0, call.k);
}

tg_tile_run select(const tg_kernel*, const tg_tile_args* typical) noexcept {
    return typical->m == 4 && typical->n == 6 ? run_whole : nullptr;
}

constexpr tg_tile selecting_tile() {
    tg_tile made = faulty::tile(run);
    made.select = select;
    return made;
}
constinit const tg_tile tile = selecting_tile();
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.wrong_select", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("wrong_select", kernels);
