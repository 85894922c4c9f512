// Fault: takes more memory than a worker may have, and gives up when there is no more.
// Caught by: result.integers (crash)
#include "faulty.hpp"

#include <cstdlib>

#include <sys/mman.h>

namespace {

double* volatile kept;

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    for (int piece = 0; piece < 12; ++piece) { // 3 GiB of address space, touched in one place each
        void* more =
            ::mmap(nullptr, std::size_t{1} << 28, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (more == MAP_FAILED)
            break;
        *static_cast<double*>(more) = static_cast<double>(piece);
        kept = static_cast<double*>(more);
    }
    std::abort();
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.eats_memory", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("eats_memory", kernels);
