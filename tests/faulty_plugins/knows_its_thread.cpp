// Fault: sets up the thread that loads it only; on others it sums even and odd terms apart.
// Caught by: concurrency.fresh_thread
#include "faulty.hpp"

namespace {

// volatile: clang would run the constructor when it compiles, and so set up every thread.
thread_local volatile bool set_up = false;

[[gnu::constructor]] void start() noexcept {
    set_up = true;
}

double apart(const faulty::Call& call, std::int64_t i, std::int64_t j) noexcept {
    double even = call.start(i, j), odd = 0;
    for (std::int64_t l = 0; l < call.k; ++l)
        (l % 2 == 0 ? even : odd) += call.a_at(i, l) * call.b_at(l, j);
    return even + odd;
}

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    for (std::int64_t i = 0; i < call.m; ++i)
        for (std::int64_t j = 0; j < call.n; ++j)
            call.c_at(i, j) = set_up ? call.entry(i, j) : apart(call, i, j);
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.knows_its_thread", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("knows_its_thread", kernels);
