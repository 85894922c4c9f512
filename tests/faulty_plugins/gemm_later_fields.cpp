// Fault: reads a field of a later minor version without asking struct_size whether it is there.
// Caught by: tail.products (crash)
#include "faulty_gemm.hpp"

namespace {

struct LaterProblem {
    tg_problem known;
    std::uint64_t largest_workspace;
};

tg_status prepare(const tg_kernel* kernel, const tg_problem* problem, void** plan,
                  std::uint64_t* workspace_bytes, tg_error* error) noexcept {
    if (reinterpret_cast<const LaterProblem*>(problem)->largest_workspace == 1)
        return faulty::refuse(TG_UNSUPPORTED, error, "There is no room for a workspace.");
    return faulty::prepare(kernel, problem, plan, workspace_bytes, error);
}

tg_status run(const tg_kernel*, const void* plan, const tg_gemm_args* args, tg_error*) noexcept {
    faulty::plan_of(plan).multiply(*args);
    return TG_OK;
}

constinit const tg_gemm gemm = faulty::gemm(run, prepare);
constinit const tg_kernel kernel = faulty::kernel("faulty.gemm_later_fields", nullptr, &gemm);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("gemm_later_fields", kernels);
