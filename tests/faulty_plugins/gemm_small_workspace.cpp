// Fault: asks for a workspace of m*k elements, and uses k*n.
// Caught by: workspace.exact (crash)
#include "faulty_gemm.hpp"

namespace {

tg_status run(const tg_kernel*, const void* plan, const tg_gemm_args* args, tg_error*) noexcept {
    faulty::plan_of(plan).multiply(*args);
    return TG_OK;
}

tg_status prepare(const tg_kernel* kernel, const tg_problem* problem, void** plan,
                  std::uint64_t* workspace_bytes, tg_error* error) noexcept {
    const tg_status status = faulty::prepare(kernel, problem, plan, workspace_bytes, error);
    *workspace_bytes = sizeof(double) * static_cast<std::uint64_t>(problem->k * problem->m);
    return status;
}

constinit const tg_gemm gemm = faulty::gemm(run, prepare);
constinit const tg_kernel kernel = faulty::kernel("faulty.gemm_small_workspace", nullptr, &gemm);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("gemm_small_workspace", kernels);
