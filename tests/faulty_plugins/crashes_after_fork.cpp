// Fault: uses memory that it keeps from children, at m = 4.
// Caught by: concurrency.fork
#include "faulty.hpp"

#include <sys/mman.h>

namespace {

void* own_page() noexcept {
    void* made = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(made, 4096, MADV_DONTFORK);
    return made;
}
void* const page = own_page();

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (call.m == 4)
        static_cast<volatile char*>(page)[0] = 1;
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.crashes_after_fork", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("crashes_after_fork", kernels);
