// Fault: takes matrices of a batch for lying one right after the other.
// Caught by: tail.layouts
#include "faulty_gemm.hpp"

namespace {

tg_status run(const tg_kernel*, const void* plan, const tg_gemm_args* args, tg_error*) noexcept {
    faulty::Plan p = faulty::plan_of(plan);
    p.problem.bs_a = p.problem.m * p.problem.k;
    p.multiply(*args);
    return TG_OK;
}

constinit const tg_gemm gemm = faulty::gemm(run);
constinit const tg_kernel kernel = faulty::kernel("faulty.gemm_tight_batch", nullptr, &gemm);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("gemm_tight_batch", kernels);
