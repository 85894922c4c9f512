// Fault: asks for one element more, and takes it for zero.
// Caught by: workspace.exact
#include "faulty_gemm.hpp"

namespace {

tg_status run(const tg_kernel*, const void* plan, const tg_gemm_args* args, tg_error*) noexcept {
    const faulty::Plan& p = faulty::plan_of(plan);
    p.multiply(*args);
    *p.c(*args, 0, 0, 0) += static_cast<const double*>(args->workspace)[p.problem.k * p.problem.n];
    return TG_OK;
}

tg_status prepare(const tg_kernel* kernel, const tg_problem* problem, void** plan,
                  std::uint64_t* workspace_bytes, tg_error* error) noexcept {
    const tg_status status = faulty::prepare(kernel, problem, plan, workspace_bytes, error);
    *workspace_bytes += sizeof(double);
    return status;
}

constinit const tg_gemm gemm = faulty::gemm(run, prepare);
constinit const tg_kernel kernel = faulty::kernel("faulty.gemm_zeroed_workspace", nullptr, &gemm);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("gemm_zeroed_workspace", kernels);
