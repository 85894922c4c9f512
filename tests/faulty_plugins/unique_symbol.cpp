// Fault: a symbol bound as STB_GNU_UNIQUE, as g++ binds a static variable of an inline function.
// Caught by: library.unique
#include "faulty.hpp"

// Written in assembly, since not every compiler makes such symbols.
asm(".pushsection .data\n"
    ".globl faulty_calls\n"
    ".type faulty_calls, @gnu_unique_object\n"
    ".size faulty_calls, 8\n"
    ".balign 8\n"
    "faulty_calls: .quad 0\n"
    ".popsection\n");
extern "C" __attribute__((visibility("default"))) std::int64_t faulty_calls;

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    __atomic_fetch_add(&faulty_calls, 1, __ATOMIC_RELAXED);
    faulty::Call(args).multiply();
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.unique_symbol", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("unique_symbol", kernels);
