// Its init prints 50 MB, on standard output and error and through the host.
#include "sound.hpp"

#include <cstdio>
#include <cstring>

namespace {
constexpr tg_kernel kernel = sound::make_kernel("test.init_prints");
constexpr const tg_kernel* kernels[] = {&kernel, nullptr};

tg_status init(const tg_host* host, tg_error*) noexcept {
    host->log("a line for the log");
    char line[1025] = {};
    std::memset(line, 'x', sizeof line - 1);
    for (int i = 0; i < 25'000; ++i) {
        std::puts(line);
        std::fputs(line, stderr);
    }
    return TG_OK;
}
constexpr tg_plugin make() {
    tg_plugin plugin = sound::make_plugin(kernels);
    plugin.init = init;
    return plugin;
}
} // namespace
constinit const tg_plugin tune_gemm_plugin_v1 = make();
