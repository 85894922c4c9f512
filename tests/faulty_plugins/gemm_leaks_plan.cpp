// Fault: does not free its plan when n is 3.
// Caught by: state.memory
#include "faulty_gemm.hpp"

namespace {

tg_status run(const tg_kernel*, const void* plan, const tg_gemm_args* args, tg_error*) noexcept {
    faulty::plan_of(plan).multiply(*args);
    return TG_OK;
}

void release(const tg_kernel* kernel, void* plan) noexcept {
    if (faulty::plan_of(plan).problem.n != 3)
        faulty::release(kernel, plan);
}

constexpr tg_gemm leaking() {
    tg_gemm made = faulty::gemm(run);
    made.release = release;
    return made;
}

constinit const tg_gemm gemm = leaking();
constinit const tg_kernel kernel = faulty::kernel("faulty.gemm_leaks_plan", nullptr, &gemm);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("gemm_leaks_plan", kernels);
