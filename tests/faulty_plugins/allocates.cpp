// Fault: allocates a scratch buffer in the call, at k = 7.
// Caught by: state.memory
#include "faulty.hpp"

#include <cstdlib>

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (call.k == 7) {
        auto* scratch = static_cast<volatile double*>(std::malloc(64));
        if (scratch != nullptr)
            scratch[0] = 1;
        std::free(const_cast<double*>(scratch));
    }
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.allocates", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("allocates", kernels);
