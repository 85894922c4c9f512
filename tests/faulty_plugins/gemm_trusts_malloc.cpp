// Fault: takes for granted that memory can be had.
// Caught by: errors.no_memory
#include "faulty_gemm.hpp"

#include <cstdlib>

namespace {

tg_status prepare(const tg_kernel* kernel, const tg_problem* problem, void** plan,
                  std::uint64_t* workspace_bytes, tg_error* error) noexcept {
    auto* scratch = static_cast<volatile double*>(std::malloc(64));
    scratch[0] = 1;
    std::free(const_cast<double*>(scratch));
    return faulty::prepare(kernel, problem, plan, workspace_bytes, error);
}

tg_status run(const tg_kernel*, const void* plan, const tg_gemm_args* args, tg_error*) noexcept {
    faulty::plan_of(plan).multiply(*args);
    return TG_OK;
}

constinit const tg_gemm gemm = faulty::gemm(run, prepare);
constinit const tg_kernel kernel = faulty::kernel("faulty.gemm_trusts_malloc", nullptr, &gemm);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("gemm_trusts_malloc", kernels);
