// Fault: plans a product with a negative number of columns.
// Caught by: errors.invalid
#include "faulty_gemm.hpp"

namespace {

tg_status prepare(const tg_kernel* kernel, const tg_problem* problem, void** plan,
                  std::uint64_t* workspace_bytes, tg_error* error) noexcept {
    tg_problem changed = *problem;
    if (changed.n < 0)
        changed.n = 0;
    return faulty::prepare(kernel, &changed, plan, workspace_bytes, error);
}

tg_status run(const tg_kernel*, const void* plan, const tg_gemm_args* args, tg_error*) noexcept {
    faulty::plan_of(plan).multiply(*args);
    return TG_OK;
}

constinit const tg_gemm gemm = faulty::gemm(run, prepare);
constinit const tg_kernel kernel = faulty::kernel("faulty.gemm_accepts_negative", nullptr, &gemm);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("gemm_accepts_negative", kernels);
