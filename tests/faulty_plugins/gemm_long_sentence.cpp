// Fault: writes a sentence that is longer than the room for it.
// Caught by: errors.sentence
#include "faulty_gemm.hpp"

namespace {

tg_status prepare(const tg_kernel* kernel, const tg_problem* problem, void** plan,
                  std::uint64_t* workspace_bytes, tg_error* error) noexcept {
    if (problem->rs_c < 0) {
        for (int at = 0; at < 299; ++at)
            error->message[at] = 'o';
        error->message[299] = 0;
        return TG_UNSUPPORTED;
    }
    return faulty::prepare(kernel, problem, plan, workspace_bytes, error);
}

tg_status run(const tg_kernel*, const void* plan, const tg_gemm_args* args, tg_error*) noexcept {
    faulty::plan_of(plan).multiply(*args);
    return TG_OK;
}

constinit const tg_gemm gemm = faulty::gemm(run, prepare);
constinit const tg_kernel kernel = faulty::kernel("faulty.gemm_long_sentence", nullptr, &gemm);
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("gemm_long_sentence", kernels);
