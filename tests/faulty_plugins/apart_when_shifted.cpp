// Fault: sums even and odd terms of the first row apart when B begins 40 bytes past a cache line.
// Caught by: plan.placement
#include "faulty.hpp"

namespace {

/// The even and the odd terms of one entry summed apart.
double apart(const faulty::Call& call, std::int64_t i, std::int64_t j) noexcept {
    double even = call.start(i, j), odd = 0;
    for (std::int64_t l = 0; l < call.k; ++l)
        (l % 2 == 0 ? even : odd) += call.a_at(i, l) * call.b_at(l, j);
    return even + odd;
}

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    const bool shifted = reinterpret_cast<std::uintptr_t>(call.b) % 64 == 40;
    for (std::int64_t i = 0; i < call.m; ++i)
        for (std::int64_t j = 0; j < call.n; ++j)
            call.c_at(i, j) = i == 0 && shifted ? apart(call, i, j) : call.entry(i, j);
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.apart_when_shifted", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("apart_when_shifted", kernels);
