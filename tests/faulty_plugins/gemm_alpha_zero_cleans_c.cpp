// Fault: with alpha = 0 a NaN in C becomes 0.
// Caught by: tail.scalars
#include "faulty_gemm.hpp"

namespace {

tg_status run(const tg_kernel*, const void* plan, const tg_gemm_args* args, tg_error*) noexcept {
    const faulty::Plan& p = faulty::plan_of(plan);
    p.multiply(*args);
    for (std::int64_t batch = 0; batch < (p.alpha == 0 ? p.problem.batch : 0); ++batch)
        for (std::int64_t i = 0; i < p.problem.m; ++i)
            for (std::int64_t j = 0; j < p.problem.n; ++j)
                if (double& entry = *p.c(*args, batch, i, j); entry != entry)
                    entry = 0;
    return TG_OK;
}

constinit const tg_gemm gemm = faulty::gemm(run);
constinit const tg_kernel kernel = faulty::kernel("faulty.gemm_alpha_zero_cleans_c", nullptr, &gemm);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("gemm_alpha_zero_cleans_c", kernels);
