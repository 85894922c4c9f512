// Fault: returns at once when alpha is 0.
// Caught by: tail.scalars
#include "faulty_gemm.hpp"

namespace {

tg_status run(const tg_kernel*, const void* plan, const tg_gemm_args* args, tg_error*) noexcept {
    const faulty::Plan& p = faulty::plan_of(plan);
    if (p.alpha != 0 || p.beta == 0)
        p.multiply(*args);
    return TG_OK;
}

constinit const tg_gemm gemm = faulty::gemm(run);
constinit const tg_kernel kernel = faulty::kernel("faulty.gemm_alpha_zero_skips_beta", nullptr, &gemm);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("gemm_alpha_zero_skips_beta", kernels);
