// Nothing is wrong with it.
#include "sound.hpp"

namespace {
constexpr tg_kernel first = sound::make_kernel("test.sound");
constexpr tg_kernel same_loop = sound::make_kernel("test.sound_too");
constexpr const tg_kernel* kernels[] = {&first, &same_loop, nullptr};
} // namespace
constinit const tg_plugin tune_gemm_plugin_v1 = sound::make_plugin(kernels);
