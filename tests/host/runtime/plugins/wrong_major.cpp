// Made for another major version, although the symbol is that of ours.
#include "sound.hpp"

namespace {
constexpr tg_kernel kernel = sound::make_kernel("test.wrong_major");
constexpr const tg_kernel* kernels[] = {&kernel, nullptr};

constexpr tg_plugin make() {
    tg_plugin plugin = sound::make_plugin(kernels);
    plugin.abi_major = 2;
    return plugin;
}
} // namespace
constinit const tg_plugin tune_gemm_plugin_v1 = make();
