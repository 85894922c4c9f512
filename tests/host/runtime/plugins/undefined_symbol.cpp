// Calls a function that nobody has.
#include "sound.hpp"

extern "C" void tune_gemm_test_nobody_has_this();

namespace {
constexpr tg_kernel kernel = sound::make_kernel("test.undefined_symbol");
constexpr const tg_kernel* kernels[] = {&kernel, nullptr};

[[gnu::constructor]] void start() {
    tune_gemm_test_nobody_has_this();
}
} // namespace
constinit const tg_plugin tune_gemm_plugin_v1 = sound::make_plugin(kernels);
