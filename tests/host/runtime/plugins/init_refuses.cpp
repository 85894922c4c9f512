// Its init refuses with a sentence.
#include "sound.hpp"

#include <cstdio>

namespace {
constexpr tg_kernel kernel = sound::make_kernel("test.init_refuses");
constexpr const tg_kernel* kernels[] = {&kernel, nullptr};

tg_status init(const tg_host*, tg_error* error) noexcept {
    std::snprintf(error->message, error->message_size, "the license server does not answer");
    return TG_UNSUPPORTED;
}
constexpr tg_plugin make() {
    tg_plugin plugin = sound::make_plugin(kernels);
    plugin.init = init;
    return plugin;
}
} // namespace
constinit const tg_plugin tune_gemm_plugin_v1 = make();
