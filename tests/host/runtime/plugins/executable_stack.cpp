// Nothing is wrong with it, but it is linked with an executable stack.
#include "sound.hpp"

namespace {
constexpr tg_kernel kernel = sound::make_kernel("test.executable_stack");
constexpr const tg_kernel* kernels[] = {&kernel, nullptr};
} // namespace
constinit const tg_plugin tune_gemm_plugin_v1 = sound::make_plugin(kernels);
