// Its object does not begin with the magic number.
#include "sound.hpp"

namespace {
constexpr tg_kernel kernel = sound::make_kernel("test.wrong_magic");
constexpr const tg_kernel* kernels[] = {&kernel, nullptr};

constexpr tg_plugin make() {
    tg_plugin plugin = sound::make_plugin(kernels);
    plugin.magic = 0x12345678;
    return plugin;
}
} // namespace
constinit const tg_plugin tune_gemm_plugin_v1 = make();
