// Fault: prepare sets a rounding mode and does not put it back, for column-major C of one row.
// Caught by: state.float_control
#include "faulty_gemm.hpp"

namespace {

tg_status prepare(const tg_kernel* kernel, const tg_problem* problem, void** plan, std::uint64_t* bytes,
                  tg_error* error) noexcept {
    if (problem->m == 1 && problem->rs_c == 1)
        __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() ^ 0x2000);
    return faulty::prepare(kernel, problem, plan, bytes, error);
}

tg_status run(const tg_kernel*, const void* plan, const tg_gemm_args* args, tg_error*) noexcept {
    faulty::plan_of(plan).multiply(*args);
    return TG_OK;
}

constinit const tg_gemm gemm = faulty::gemm(run, prepare);
constinit const tg_kernel kernel = faulty::kernel("faulty.gemm_keeps_rounding", nullptr, &gemm);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("gemm_keeps_rounding", kernels);
