// Says that its object ends before the list of kernels.
#include "sound.hpp"

namespace {
constexpr tg_kernel kernel = sound::make_kernel("test.short_struct");
constexpr const tg_kernel* kernels[] = {&kernel, nullptr};

constexpr tg_plugin make() {
    tg_plugin plugin = sound::make_plugin(kernels);
    plugin.struct_size = 32;
    return plugin;
}
} // namespace
constinit const tg_plugin tune_gemm_plugin_v1 = make();
