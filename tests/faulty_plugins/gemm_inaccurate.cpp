// Fault: sums in any order, as it says, but with an error of three times the bound in one entry.
// Caught by: result.rounding
#include "faulty_gemm.hpp"

#include <cmath>

namespace {

tg_status run(const tg_kernel*, const void* plan, const tg_gemm_args* args, tg_error*) noexcept {
    const faulty::Plan& p = faulty::plan_of(plan);
    p.multiply(*args);
    if (p.problem.m < 3 || p.problem.n < 3 || p.problem.k < 2 || p.alpha == 0)
        return TG_OK;
    const auto* a = static_cast<const double*>(args->a) + 2 * p.problem.rs_a;
    const auto* b = static_cast<const double*>(args->b) + 2 * p.problem.cs_b;
    double magnitude = 0;
    for (std::int64_t l = 0; l < p.problem.k; ++l)
        magnitude += std::abs(a[l * p.problem.cs_a] * b[l * p.problem.rs_b]);
    *p.c(*args, 0, 2, 2) += 3 * static_cast<double>(p.problem.k) * 0x1p-53 * magnitude;
    return TG_OK;
}

constinit const tg_gemm gemm = faulty::gemm(run);
constexpr tg_kernel reordered() {
    tg_kernel made = faulty::kernel("faulty.gemm_inaccurate", nullptr, &gemm);
    made.order = TG_REORDERED;
    return made;
}
constinit const tg_kernel kernel = reordered();
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("gemm_inaccurate", kernels);
