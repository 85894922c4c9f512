// Fault: serves no product at all.
// Caught by: result.integers
#include "faulty_gemm.hpp"

namespace {

tg_status run(const tg_kernel*, const void* plan, const tg_gemm_args* args, tg_error*) noexcept {
    faulty::plan_of(plan).multiply(*args);
    return TG_OK;
}

tg_status prepare(const tg_kernel*, const tg_problem*, void**, std::uint64_t*, tg_error*) noexcept {
    return TG_UNSUPPORTED;
}

constinit const tg_gemm gemm = faulty::gemm(run, prepare);
constinit const tg_kernel kernel = faulty::kernel("faulty.gemm_refuses_everything", nullptr, &gemm);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("gemm_refuses_everything", kernels);
