// Its constructor ends the process, with success.
#include "sound.hpp"

#include <cstdlib>

namespace {
constexpr tg_kernel kernel = sound::make_kernel("test.exit_constructor");
constexpr const tg_kernel* kernels[] = {&kernel, nullptr};

[[gnu::constructor]] void start() {
    std::exit(0);
}
} // namespace
constinit const tg_plugin tune_gemm_plugin_v1 = sound::make_plugin(kernels);
