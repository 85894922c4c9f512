// Fault: multiplies C by beta even when beta is 0.
// Caught by: result.unread_c
#include "faulty_gemm.hpp"

namespace {

tg_status run(const tg_kernel*, const void* plan, const tg_gemm_args* args, tg_error*) noexcept {
    const faulty::Plan& p = faulty::plan_of(plan);
    for (std::int64_t batch = 0; batch < p.problem.batch; ++batch)
        for (std::int64_t i = 0; i < p.problem.m; ++i)
            for (std::int64_t j = 0; j < p.problem.n; ++j)
                *p.c(*args, batch, i, j) *= p.beta;
    faulty::Plan adding = p;
    adding.beta = 1;
    adding.multiply(*args);
    return TG_OK;
}

constinit const tg_gemm gemm = faulty::gemm(run);
constinit const tg_kernel kernel = faulty::kernel("faulty.gemm_reads_c", nullptr, &gemm);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("gemm_reads_c", kernels);
