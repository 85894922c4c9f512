// Fault: memory of each thread that calls it, which nobody frees when the thread ends.
// Caught by: library.memory
#include "faulty.hpp"

#include <cstdlib>

namespace {

thread_local double* scratch = nullptr;

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    if (scratch == nullptr)
        scratch = static_cast<double*>(std::malloc(4096));
    const faulty::Call call(args);
    for (std::int64_t i = 0; i < call.m; ++i)
        for (std::int64_t j = 0; j < call.n; ++j) {
            scratch[j] = call.entry(i, j);
            call.c_at(i, j) = scratch[j];
        }
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.leaks_each_thread", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("leaks_each_thread", kernels);
