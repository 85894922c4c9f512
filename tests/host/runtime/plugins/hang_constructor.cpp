// Its constructor never returns.
#include "sound.hpp"

#include <unistd.h>

namespace {
constexpr tg_kernel kernel = sound::make_kernel("test.hang_constructor");
constexpr const tg_kernel* kernels[] = {&kernel, nullptr};

[[gnu::constructor]] void start() {
    for (;;)
        ::pause();
}
} // namespace
constinit const tg_plugin tune_gemm_plugin_v1 = sound::make_plugin(kernels);
