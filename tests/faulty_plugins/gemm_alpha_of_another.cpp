// Fault: keeps alpha in a static variable, so that the plan made last counts.
// Caught by: plan.others
#include "faulty_gemm.hpp"

namespace {

double alpha = 1;

tg_status prepare(const tg_kernel* kernel, const tg_problem* problem, void** plan, std::uint64_t* bytes,
                  tg_error* error) noexcept {
    const tg_status status = faulty::prepare(kernel, problem, plan, bytes, error);
    if (status == TG_OK)
        alpha = static_cast<const faulty::Plan*>(*plan)->alpha;
    return status;
}

tg_status run(const tg_kernel*, const void* plan, const tg_gemm_args* args, tg_error*) noexcept {
    faulty::Plan own = faulty::plan_of(plan);
    own.alpha = alpha;
    own.multiply(*args);
    return TG_OK;
}

constinit const tg_gemm gemm = faulty::gemm(run, prepare);
constinit const tg_kernel kernel = faulty::kernel("faulty.gemm_alpha_of_another", nullptr, &gemm);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("gemm_alpha_of_another", kernels);
