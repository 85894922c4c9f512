// Of an author who did not know init: what lies there is not to be looked at.
#include "sound.hpp"

#include <cstddef>

namespace {
constexpr tg_kernel kernel = sound::make_kernel("test.shorter_struct");
constexpr const tg_kernel* kernels[] = {&kernel, nullptr};

constexpr tg_plugin make() {
    tg_plugin plugin = sound::make_plugin(kernels);
    plugin.struct_size = offsetof(tg_plugin, init);
    plugin.init = [](const tg_host*, tg_error*) noexcept { return tg_status{TG_INTERNAL}; };
    return plugin;
}
} // namespace
constinit const tg_plugin tune_gemm_plugin_v1 = make();
