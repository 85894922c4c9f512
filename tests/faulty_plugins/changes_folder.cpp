// Fault: goes to another folder when it is loaded, and stays there.
// Caught by: state.process
#include "faulty.hpp"

#include <unistd.h>

namespace {

[[gnu::constructor]] void start() noexcept {
    static_cast<void>(chdir("/"));
}

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.changes_folder", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("changes_folder", kernels);
