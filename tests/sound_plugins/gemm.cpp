// Right whole-gemm kernels, which must raise nothing: a sequential one with a workspace, one that sums in
// another order and serves row-major C only, and one with memory and threads of its own, as it says.
#include "faulty_gemm.hpp"

#include <cstdlib>
#include <thread>

namespace {

tg_status run(const tg_kernel*, const void* plan, const tg_gemm_args* args, tg_error*) noexcept {
    faulty::plan_of(plan).multiply(*args);
    return TG_OK;
}

/// From the last term to the first, without a workspace.
tg_status run_backwards(const tg_kernel*, const void* plan, const tg_gemm_args* args, tg_error*) noexcept {
    const faulty::Plan& p = faulty::plan_of(plan);
    const tg_problem& problem = p.problem;
    for (std::int64_t batch = 0; batch < problem.batch; ++batch) {
        const double* a = static_cast<const double*>(args->a) + batch * problem.bs_a;
        const double* b = static_cast<const double*>(args->b) + batch * problem.bs_b;
        for (std::int64_t i = 0; i < problem.m; ++i) {
            for (std::int64_t j = 0; j < problem.n; ++j) {
                double sum = 0;
                for (std::int64_t l = p.alpha == 0 ? 0 : problem.k; l > 0; --l)
                    sum += a[i * problem.rs_a + (l - 1) * problem.cs_a] *
                           b[(l - 1) * problem.rs_b + j * problem.cs_b];
                *p.c(*args, batch, i, j) = p.start(*args, batch, i, j) + p.alpha * sum;
            }
        }
    }
    return TG_OK;
}

tg_status prepare_backwards(const tg_kernel* kernel, const tg_problem* problem, void** plan,
                            std::uint64_t* workspace_bytes, tg_error* error) noexcept {
    if (faulty::contradicts(problem))
        return faulty::refuse(TG_INVALID, error, "The request contradicts the contract.");
    if (problem->cs_c != 1)
        return faulty::refuse(TG_UNSUPPORTED, error, "C is served by rows only.");
    const tg_status status = faulty::prepare(kernel, problem, plan, workspace_bytes, error);
    *workspace_bytes = 0;
    return status;
}

/// On a thread of its own where that is worth its while, packing into memory of its own.
tg_status run_apart(const tg_kernel*, const void* plan, const tg_gemm_args* args, tg_error* error) noexcept {
    const tg_problem& problem = faulty::plan_of(plan).problem;
    tg_gemm_args own = *args;
    own.workspace = std::malloc(sizeof(double) * static_cast<std::size_t>(problem.k * problem.n + 1));
    if (own.workspace == nullptr)
        return faulty::refuse(TG_NO_WORKSPACE, error, "There is no memory to pack into.");
    try {
        // Thousands of the checks' products are tiny, and a thread under a sanitizer costs a millisecond.
        if (problem.m * problem.n * problem.k >= 1000)
            std::thread([&] { faulty::plan_of(plan).multiply(own); }).join();
        else
            faulty::plan_of(plan).multiply(own);
    } catch (...) { // no thread to be had
        faulty::plan_of(plan).multiply(own);
    }
    std::free(own.workspace);
    return TG_OK;
}

tg_status prepare_apart(const tg_kernel* kernel, const tg_problem* problem, void** plan,
                        std::uint64_t* workspace_bytes, tg_error* error) noexcept {
    const tg_status status = faulty::prepare(kernel, problem, plan, workspace_bytes, error);
    *workspace_bytes = 0;
    return status;
}

constinit const tg_gemm gemm = faulty::gemm(run);
constinit const tg_gemm apart = faulty::gemm(run_apart, prepare_apart);
constinit const tg_gemm backwards = faulty::gemm(run_backwards, prepare_backwards);
constinit const tg_kernel kernel = faulty::kernel("sound.gemm", nullptr, &gemm);
constexpr tg_kernel reordered() {
    tg_kernel made = faulty::kernel("sound.backwards", nullptr, &backwards);
    made.order = TG_REORDERED;
    made.muladd = 0;
    return made;
}
constexpr tg_kernel with_own() {
    tg_kernel made = faulty::kernel("sound.apart", nullptr, &apart);
    made.flags = TG_OWN_MEMORY | TG_OWN_THREADS;
    return made;
}
constinit const tg_kernel backwards_kernel = reordered();
constinit const tg_kernel apart_kernel = with_own();
constinit const tg_kernel* const kernels[] = {&kernel, &backwards_kernel, &apart_kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("sound_gemm", kernels);
