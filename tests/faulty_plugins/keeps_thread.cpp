// Fault: starts a thread at its first call, which is still there when the library is unloaded.
// Caught by: library.unload
#include "faulty.hpp"

#include <atomic>

#include <pthread.h>
#include <unistd.h>

namespace {

std::atomic<bool> running;

void* wait_for_ever(void*) {
    running = true;
    for (;;)
        ::pause();
}

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    static bool started = false;
    pthread_t thread;
    if (!started && pthread_create(&thread, nullptr, wait_for_ever, nullptr) == 0)
        pthread_detach(thread);
    while (!started && !running)
        ::usleep(1000);
    if (!started)
        ::usleep(20'000); // so that it sleeps when its code goes
    started = true;
    faulty::Call(args).multiply();
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.keeps_thread", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("keeps_thread", kernels);
