// Fault: takes a function from a library that it does not name; here the program happens to have it.
// Caught by: library.dependencies
#include "faulty.hpp"

#include <cmath>

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    volatile double number = static_cast<double>(call.m);
    if (std::cbrt(number) > 0)
        call.multiply();
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.unnamed_library", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("unnamed_library", kernels);
