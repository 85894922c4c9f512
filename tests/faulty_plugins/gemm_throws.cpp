// Fault: throws on a number of threads that it does not like.
// Caught by: errors.invalid
#include "faulty_gemm.hpp"

namespace {

[[noreturn]] void complain() {
    throw 22;
}

tg_status prepare(const tg_kernel* kernel, const tg_problem* problem, void** plan,
                  std::uint64_t* workspace_bytes, tg_error* error) noexcept {
    if (problem->threads == 0)
        complain(); // ends the process, since the function is noexcept, as a caller in C takes for granted
    return faulty::prepare(kernel, problem, plan, workspace_bytes, error);
}

tg_status run(const tg_kernel*, const void* plan, const tg_gemm_args* args, tg_error*) noexcept {
    faulty::plan_of(plan).multiply(*args);
    return TG_OK;
}

constinit const tg_gemm gemm = faulty::gemm(run, prepare);
constinit const tg_kernel kernel = faulty::kernel("faulty.gemm_throws", nullptr, &gemm);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("gemm_throws", kernels);
