// Fault: lowers a limit of the process, at m = 3.
// Caught by: state.process
#include "faulty.hpp"

#include <sys/resource.h>

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    rlimit files{};
    if (call.m == 3 && getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_cur > 100 ? files.rlim_cur - 1 : files.rlim_cur;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.lowers_limit", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("lowers_limit", kernels);
