// Nothing is wrong with it, but there is an address in its code, as when a part was compiled without -fPIC.
#include "sound.hpp"

asm(".pushsection .text\n"
    ".balign 8\n"
    ".quad text_relocation_target\n"
    "text_relocation_target: nop\n"
    ".popsection\n");

namespace {
constexpr tg_kernel kernel = sound::make_kernel("test.text_relocation");
constexpr const tg_kernel* kernels[] = {&kernel, nullptr};
} // namespace
constinit const tg_plugin tune_gemm_plugin_v1 = sound::make_plugin(kernels);
