// Fault: applies a beta other than 0 and 1 to the first two columns only.
// Caught by: tail.scalars
#include "faulty_gemm.hpp"

namespace {

tg_status run(const tg_kernel*, const void* plan, const tg_gemm_args* args, tg_error*) noexcept {
    const faulty::Plan& p = faulty::plan_of(plan);
    faulty::Plan first = p;
    first.problem.n = p.problem.n < 2 ? p.problem.n : 2;
    first.multiply(*args);
    if (p.problem.n <= 2)
        return TG_OK;
    faulty::Plan rest = p;
    rest.problem.n = p.problem.n - 2;
    if (p.beta != 0)
        rest.beta = 1;
    tg_gemm_args right = *args;
    right.b = static_cast<const double*>(args->b) + 2 * p.problem.cs_b;
    right.c = static_cast<double*>(args->c) + 2 * p.problem.cs_c;
    rest.multiply(right);
    return TG_OK;
}

constinit const tg_gemm gemm = faulty::gemm(run);
constinit const tg_kernel kernel = faulty::kernel("faulty.gemm_beta_in_first_columns", nullptr, &gemm);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("gemm_beta_in_first_columns", kernels);
