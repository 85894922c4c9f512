// Needs what no processor has.
#include "sound.hpp"

namespace {
constexpr tg_kernel kernel = sound::make_kernel("test.missing_feature");

constexpr const char* features[] = {"flux_capacitor", nullptr};
constexpr tg_kernel make_kernel() {
    tg_kernel needy = kernel;
    needy.cpu = features;
    return needy;
}
constexpr tg_kernel needy = make_kernel();
constexpr const tg_kernel* needy_kernels[] = {&needy, nullptr};
} // namespace
constinit const tg_plugin tune_gemm_plugin_v1 = sound::make_plugin(needy_kernels);
