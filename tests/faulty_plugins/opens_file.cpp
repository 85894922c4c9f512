// Fault: opens a file at its first call and never closes it.
// Caught by: library.unload
#include "faulty.hpp"

#include <fcntl.h>

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    static const int descriptor = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    static_cast<void>(descriptor);
    faulty::Call(args).multiply();
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.opens_file", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("opens_file", kernels);
