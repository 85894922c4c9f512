// Fault: packs B into the plan, which several threads may run at once, and not into the workspace.
// Caught by: concurrency.one_plan
#include "faulty_gemm.hpp"

namespace {

double packed[1 << 16];

tg_status run(const tg_kernel*, const void* plan, const tg_gemm_args* args, tg_error*) noexcept {
    tg_gemm_args own = *args;
    const tg_problem& problem = faulty::plan_of(plan).problem;
    if (problem.k * problem.n <= std::int64_t{1} << 16)
        own.workspace = packed;
    faulty::plan_of(plan).multiply(own);
    return TG_OK;
}

constinit const tg_gemm gemm = faulty::gemm(run);
constinit const tg_kernel kernel = faulty::kernel("faulty.gemm_packs_into_plan", nullptr, &gemm);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("gemm_packs_into_plan", kernels);
