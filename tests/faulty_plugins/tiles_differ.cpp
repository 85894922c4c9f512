// Fault: the second tile sums even and odd terms of its first row apart.
// Caught by: plan.tiles
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    faulty::Call(args).multiply();
}

/// The even and the odd terms of one entry summed apart.
double apart(const faulty::Call& call, std::int64_t i, std::int64_t j) noexcept {
    double even = call.start(i, j), odd = 0;
    for (std::int64_t l = 0; l < call.k; ++l)
        (l % 2 == 0 ? even : odd) += call.a_at(i, l) * call.b_at(l, j);
    return even + odd;
}

void run_apart(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    for (std::int64_t i = 0; i < call.m; ++i)
        for (std::int64_t j = 0; j < call.n; ++j)
            call.c_at(i, j) = i == 0 ? apart(call, i, j) : call.entry(i, j);
}

constexpr tg_tile smaller() {
    tg_tile made = faulty::tile(run_apart);
    made.mr = 2, made.nr = 3;
    return made;
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile second = smaller();
constinit const tg_tile* const tiles[] = {&tile, &second, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.tiles_differ", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("tiles_differ", kernels);
