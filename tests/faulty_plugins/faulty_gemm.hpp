// What the wrong whole-gemm kernels share: a plain product that is sequential with two roundings, and packs B
// into its workspace.
#pragma once
#include "faulty.hpp"

#include <new>

namespace faulty {

struct Plan {
    tg_problem problem;
    double alpha, beta;

    double* c(const tg_gemm_args& args, std::int64_t batch, std::int64_t i, std::int64_t j) const noexcept {
        return static_cast<double*>(args.c) + batch * problem.bs_c + i * problem.rs_c + j * problem.cs_c;
    }
    /// The workspace holds alpha*B of one matrix, row by row.
    void pack(const tg_gemm_args& args, std::int64_t batch) const noexcept {
        const double* b = static_cast<const double*>(args.b) + batch * problem.bs_b;
        auto* packed = static_cast<double*>(args.workspace);
        for (std::int64_t l = 0; l < problem.k; ++l)
            for (std::int64_t j = 0; j < problem.n; ++j)
                packed[l * problem.n + j] = alpha * b[l * problem.rs_b + j * problem.cs_b];
    }
    double start(const tg_gemm_args& args, std::int64_t batch, std::int64_t i,
                 std::int64_t j) const noexcept {
        return beta == 0 ? 0.0 : beta * *c(args, batch, i, j);
    }
    double entry(const tg_gemm_args& args, std::int64_t batch, std::int64_t i, std::int64_t j,
                 double sum) const noexcept {
        if (alpha == 0)
            return sum;
        const double* a = static_cast<const double*>(args.a) + batch * problem.bs_a + i * problem.rs_a;
        const auto* packed = static_cast<const double*>(args.workspace);
        for (std::int64_t l = 0; l < problem.k; ++l)
            sum += a[l * problem.cs_a] * packed[l * problem.n + j];
        return sum;
    }
    void multiply(const tg_gemm_args& args) const noexcept {
        for (std::int64_t batch = 0; batch < problem.batch; ++batch) {
            if (alpha != 0 && problem.k != 0)
                pack(args, batch);
            for (std::int64_t i = 0; i < problem.m; ++i)
                for (std::int64_t j = 0; j < problem.n; ++j)
                    *c(args, batch, i, j) = entry(args, batch, i, j, start(args, batch, i, j));
        }
    }
};

inline const Plan& plan_of(const void* plan) noexcept {
    return *static_cast<const Plan*>(plan);
}

/// Says no, with a sentence.
inline tg_status refuse(tg_status status, tg_error* error, const char* sentence) noexcept {
    std::uint32_t at = 0;
    for (; sentence[at] != 0 && at + 1 < error->message_size; ++at)
        error->message[at] = sentence[at];
    error->message[at] = 0;
    return status;
}

inline bool contradicts(const tg_problem* p) noexcept {
    return p->struct_size < sizeof(tg_problem) || p->threads == 0 || p->m < 0 || p->n < 0 || p->k < 0 ||
           p->batch < 0 || p->alpha == nullptr || p->beta == nullptr;
}

inline tg_status prepare(const tg_kernel*, const tg_problem* problem, void** plan,
                         std::uint64_t* workspace_bytes, tg_error* error) noexcept {
    constexpr std::int64_t most = std::int64_t{1} << 24;
    if (contradicts(problem))
        return refuse(TG_INVALID, error, "The request contradicts the contract.");
    if (problem->k > most || problem->n > most)
        return refuse(TG_UNSUPPORTED, error, "k and n up to 2^24 are served.");
    auto* made = new (std::nothrow) Plan{*problem, *static_cast<const double*>(problem->alpha),
                                         *static_cast<const double*>(problem->beta)};
    if (made == nullptr)
        return refuse(TG_NO_WORKSPACE, error, "There is no memory for a plan.");
    *plan = made;
    *workspace_bytes = sizeof(double) * static_cast<std::uint64_t>(problem->k * problem->n);
    return TG_OK;
}

inline void release(const tg_kernel*, void* plan) noexcept {
    delete static_cast<Plan*>(plan);
}

using Prepare = decltype(tg_gemm::prepare);
using Run = decltype(tg_gemm::run);

constexpr tg_gemm gemm(Run run, Prepare own_prepare = prepare) {
    tg_gemm made{};
    made.struct_size = sizeof made;
    made.max_threads = 1;
    made.prepare = own_prepare;
    made.run = run;
    made.release = release;
    return made;
}

} // namespace faulty
