// Has a microkernel_id that sound.cpp has, too, and one of its own.
#include "sound.hpp"

namespace {
constexpr tg_kernel taken = sound::make_kernel("test.sound");
constexpr tg_kernel own = sound::make_kernel("test.own");
constexpr const tg_kernel* kernels[] = {&taken, &own, nullptr};
} // namespace
constinit const tg_plugin tune_gemm_plugin_v1 = sound::make_plugin(kernels);
