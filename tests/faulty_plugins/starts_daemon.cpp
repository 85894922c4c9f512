// Fault: starts a process behind the back of another that ends at once, at m = 1 and n = 4.
// Caught by: state.process
#include "faulty.hpp"

#include <sys/wait.h>
#include <unistd.h>

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (call.m != 1 || call.n != 4)
        return;
    const pid_t between = fork();
    if (between == 0) {
        if (setsid() > 0 && fork() == 0)
            usleep(100000);
        _exit(0);
    }
    waitpid(between, nullptr, 0);
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.starts_daemon", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("starts_daemon", kernels);
