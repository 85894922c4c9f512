// Fault: raises its own rank with every call; and so it is no constant data.
// Caught by: metadata.constant, and metadata.read_only as a warning
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept;

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit tg_kernel kernel = faulty::kernel("faulty.changing_rank", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    faulty::Call(args).multiply();
    ++kernel.rank;
}

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("changing_rank", kernels);
