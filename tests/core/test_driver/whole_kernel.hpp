// A kernel of whole products for the tests: a plain loop behind prepare, run and release, with everything
// that happens to it counted.
#pragma once
#include <tune_gemm/catalogue.hpp>

#include <cstdio>
#include <string>

namespace tune_gemm::test {

class WholeKernel {
  public:
    WholeKernel() {
        gemm_.struct_size = sizeof gemm_;
        gemm_.max_threads = 2;
        gemm_.prepare = prepare;
        gemm_.run = run;
        gemm_.release = release;
        kernel_.struct_size = sizeof kernel_;
        kernel_.microkernel_id = "whole";
        kernel_.summary = "A kernel of the tests";
        kernel_.type_a = kernel_.type_b = kernel_.type_c = kernel_.type_acc = TG_F64;
        kernel_.order = TG_SEQUENTIAL;
        kernel_.muladd = TG_TWO_ROUNDINGS;
        kernel_.gemm = &gemm_;
        kernel_.user = this;
        catalogue_.add(describe_kernel(&kernel_));
    }
    WholeKernel(const WholeKernel&) = delete;
    WholeKernel& operator=(const WholeKernel&) = delete;

    const Catalogue& catalogue() const { return catalogue_; }

    // How it is to behave, and what happened.
    std::uint64_t workspace = 0;
    tg_status prepare_status = TG_OK, run_status = TG_OK;
    std::string sentence = "so the test wants it";
    int prepared = 0, released = 0, runs = 0;
    std::uint32_t threads = 0;
    std::string breach;

  private:
    struct Plan {
        tg_problem problem;
        double alpha, beta;
        WholeKernel* owner;
    };

    static WholeKernel& self(const tg_kernel* kernel) {
        return *const_cast<WholeKernel*>(static_cast<const WholeKernel*>(kernel->user));
    }
    void say(tg_error* error) {
        if (error->message_size < 256 || error->message[0] != '\0')
            breach = "room for a sentence";
        std::snprintf(error->message, error->message_size, "%s", sentence.c_str());
    }

    static tg_status prepare(const tg_kernel* kernel, const tg_problem* problem, void** plan,
                             std::uint64_t* bytes, tg_error* error) noexcept {
        WholeKernel& own = self(kernel);
        if (problem->struct_size != sizeof *problem || problem->threads < 1)
            own.breach = "the problem's size or threads";
        own.threads = problem->threads;
        if (own.prepare_status != TG_OK) {
            own.say(error);
            return own.prepare_status;
        }
        ++own.prepared;
        *plan = new Plan{*problem, *static_cast<const double*>(problem->alpha),
                         *static_cast<const double*>(problem->beta), &own};
        *bytes = own.workspace;
        return TG_OK;
    }

    static tg_status run(const tg_kernel* kernel, const void* plan, const tg_gemm_args* args,
                         tg_error* error) noexcept {
        WholeKernel& own = self(kernel);
        ++own.runs;
        if (own.run_status != TG_OK) {
            own.say(error);
            return own.run_status;
        }
        if ((args->workspace == nullptr) != (own.workspace == 0) ||
            reinterpret_cast<std::uintptr_t>(args->workspace) % 64 != 0)
            own.breach = "workspace null for none, else aligned to 64";
        const auto& [p, alpha, beta, owner] = *static_cast<const Plan*>(plan);
        for (std::int64_t batch = 0; batch < p.batch; ++batch)
            for (std::int64_t i = 0; i < p.m; ++i)
                for (std::int64_t j = 0; j < p.n; ++j) {
                    double& c = static_cast<double*>(args->c)[batch * p.bs_c + i * p.rs_c + j * p.cs_c];
                    double sum = beta == 0 ? 0 : beta == 1 ? c : beta * c;
                    for (std::int64_t l = 0; alpha != 0 && l < p.k; ++l)
                        sum += static_cast<const double*>(args->a)[batch * p.bs_a + i * p.rs_a + l * p.cs_a] *
                               (alpha * static_cast<const double*>(
                                            args->b)[batch * p.bs_b + l * p.rs_b + j * p.cs_b]);
                    c = sum;
                }
        return TG_OK;
    }

    static void release(const tg_kernel* kernel, void* plan) noexcept {
        WholeKernel& own = self(kernel);
        ++own.released;
        if (plan == nullptr || static_cast<Plan*>(plan)->owner != &own)
            own.breach = "release gets the plan that prepare made";
        delete static_cast<Plan*>(plan);
    }

    tg_gemm gemm_{};
    tg_kernel kernel_{};
    Catalogue catalogue_;
};

} // namespace tune_gemm::test
