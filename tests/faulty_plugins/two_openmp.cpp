// Fault: linked with two runtimes of OpenMP (imitated by libraries of these names).
// Caught by: library.needed (warn)
#include "faulty.hpp"

extern "C" int faulty_gomp(void);
extern "C" int faulty_iomp(void);

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    if (faulty_gomp() + faulty_iomp() == 2)
        call.multiply();
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.two_openmp", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("two_openmp", kernels);
