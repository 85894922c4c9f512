// Fault: changes a register that belongs to its caller, at m = 2, n = 5 and k = 7 only.
// Caught by: state.registers
#include "faulty.hpp"

namespace {

void multiply(const tg_kernel*, const tg_tile_args* args) noexcept asm("faulty_multiply");
[[gnu::used]] void multiply(const tg_kernel*, const tg_tile_args* args) noexcept {
    faulty::Call(args).multiply();
}

/// Without a compiler's prologue and epilogue, which might put the register back.
[[gnu::naked]] void run(const tg_kernel*, const tg_tile_args*) noexcept {
    asm("pushq %rsi\n\tcall faulty_multiply\n\tpopq %rsi\n\t"
        "cmpq $2, 8(%rsi)\n\tjne 1f\n\tcmpq $5, 16(%rsi)\n\tjne 1f\n\tcmpq $7, 24(%rsi)\n\tjne 1f\n\t"
        "xorq $1, %rbx\n1:\tret");
}

constinit const tg_tile tile = faulty::tile(run);
constinit const tg_tile* const tiles[] = {&tile, nullptr};
constinit const tg_kernel kernel = faulty::kernel("faulty.clobbers_rbx", tiles);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("clobbers_rbx", kernels);
