// Its constructor aborts.
#include "sound.hpp"

#include <cstdlib>

namespace {
constexpr tg_kernel kernel = sound::make_kernel("test.abort_constructor");
constexpr const tg_kernel* kernels[] = {&kernel, nullptr};

[[gnu::constructor]] void start() {
    std::abort();
}
} // namespace
constinit const tg_plugin tune_gemm_plugin_v1 = sound::make_plugin(kernels);
