// Fault: sets the locale for numbers, at m = 4 and n = 6.
// Caught by: state.process
#include "faulty.hpp"

#include <clocale>

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (call.m == 4 && call.n == 6)
        std::setlocale(LC_CTYPE, "C.UTF-8");
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.sets_locale", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("sets_locale", kernels);
