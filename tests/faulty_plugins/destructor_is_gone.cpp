// Fault: a destructor for a thread's data, which lies in the library and is called after it has been
// unloaded. Caught by: library.thread_end (crash)
#include "faulty.hpp"

#include <pthread.h>

namespace {

void destroy(void*) {}

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    static thread_local bool registered = false;
    static int data;
    pthread_key_t key;
    if (!registered && pthread_key_create(&key, destroy) == 0)
        pthread_setspecific(key, &data);
    registered = true;
    faulty::Call(args).multiply();
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.destructor_is_gone", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("destructor_is_gone", kernels);
