// Two kernels with one microkernel_id.
#include "sound.hpp"

namespace {
constexpr tg_kernel one = sound::make_kernel("test.twice");
constexpr tg_kernel other = sound::make_kernel("test.twice");
constexpr const tg_kernel* kernels[] = {&one, &other, nullptr};
} // namespace
constinit const tg_plugin tune_gemm_plugin_v1 = sound::make_plugin(kernels);
