// A microkernel_id with letters that an id does not have.
#include "sound.hpp"

namespace {
constexpr tg_kernel kernel = sound::make_kernel("Test Kernel");
constexpr const tg_kernel* kernels[] = {&kernel, nullptr};
} // namespace
constinit const tg_plugin tune_gemm_plugin_v1 = sound::make_plugin(kernels);
