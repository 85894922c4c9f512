// Fault: takes the sixty-fifth column for the sixty-fourth.
// Caught by: tail.products
#include "faulty_gemm.hpp"

namespace {

tg_status run(const tg_kernel*, const void* plan, const tg_gemm_args* args, tg_error*) noexcept {
    const faulty::Plan& p = faulty::plan_of(plan);
    p.multiply(*args);
    if (p.problem.n == 65)
        for (std::int64_t batch = 0; batch < p.problem.batch; ++batch)
            for (std::int64_t i = 0; i < p.problem.m; ++i)
                *p.c(*args, batch, i, 64) = *p.c(*args, batch, i, 63);
    return TG_OK;
}

constinit const tg_gemm gemm = faulty::gemm(run);
constinit const tg_kernel kernel = faulty::kernel("faulty.gemm_wrong_past_64", nullptr, &gemm);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("gemm_wrong_past_64", kernels);
