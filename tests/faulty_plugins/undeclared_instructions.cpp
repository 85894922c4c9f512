// Fault: declares AVX2 and has code for AVX-512, for products that no test is likely to try.
// Caught by: library.instructions
#include "faulty.hpp"

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    if (call.k > 1'000'000'000'000)
        asm volatile("vpxorq %%zmm0, %%zmm0, %%zmm0\n\tvzeroupper" ::: "xmm0");
    call.multiply();
}

constinit const char* const cpu[] = {"avx2", nullptr};
constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constexpr tg_kernel make_kernel() {
    tg_kernel kernel = faulty::kernel("faulty.undeclared_instructions", tiles);
    kernel.cpu = cpu;
    return kernel;
}
constinit const tg_kernel kernel = make_kernel();
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("undeclared_instructions", kernels);
