// Fault: shares out k where it is given several threads, and adds the parts at the end.
// Caught by: plan.threads
#include "faulty_gemm.hpp"

namespace {

tg_status run(const tg_kernel*, const void* plan, const tg_gemm_args* args, tg_error*) noexcept {
    const faulty::Plan& p = faulty::plan_of(plan);
    p.multiply(*args);
    if (p.problem.threads == 1 || p.alpha == 0 || p.problem.k < 2)
        return TG_OK;
    // As two threads would, in the first row.
    const double* a = static_cast<const double*>(args->a);
    const auto* packed = static_cast<const double*>(args->workspace);
    for (std::int64_t j = 0; p.beta == 0 && j < p.problem.n; ++j) {
        double halves[2] = {0, 0};
        for (std::int64_t l = 0; l < p.problem.k; ++l)
            halves[l < p.problem.k / 2 ? 0 : 1] += a[l * p.problem.cs_a] * packed[l * p.problem.n + j];
        *p.c(*args, 0, 0, j) = halves[0] + halves[1];
    }
    return TG_OK;
}

constexpr tg_gemm threaded() {
    tg_gemm made = faulty::gemm(run);
    made.max_threads = 4;
    return made;
}
constinit const tg_gemm gemm = threaded();
constinit const tg_kernel kernel = faulty::kernel("faulty.gemm_threads_share_k", nullptr, &gemm);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("gemm_threads_share_k", kernels);
