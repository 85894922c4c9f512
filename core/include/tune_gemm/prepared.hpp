// A product made ready: one candidate, resolved to a loaded kernel of either kind, for one problem.
#pragma once
#include <tune_gemm/blocked.hpp>
#include <tune_gemm/catalogue.hpp>
#include <tune_gemm/problem.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace tune_gemm {

/// What a request turned into; stands in every record.
struct Resolution {
    GemmCandidate candidate; ///< `auto` replaced by the kernel's id
    ArithmeticClass arithmetic;
    AccessPlan access;
};

/// Immutable and shareable between threads, each with a C and a workspace of its own.
class PreparedGemm {
  public:
    /// With more than one thread, a run takes at most that many, the caller's included; the bits do not
    /// change. `limit`: bytes of all threads together. Refuses what valid_candidate or the kernel's own
    /// `prepare` refuses, and a demand above `limit` bytes.
    static Outcome<PreparedGemm> make(const GemmProblem&, const GemmCandidate&, std::int64_t limit,
                                      const Catalogue& = builtin_catalogue(), unsigned threads = 1);

    const Resolution& resolution() const noexcept;
    /// Bytes that run needs, of all its threads together, aligned to 64 for a whole-gemm kernel, else to the
    /// element.
    std::int64_t workspace_demand() const noexcept;
    /// Multiplies. Throws Error when the workspace is too small or the kernel reports a status other than
    /// TG_OK (its sentence is in the text).
    void run(const BlockedOperands&) const;
    /// Only for tile kernels.
    PackedOperand prepack(Operand, const void* data) const;

  private:
    struct State;
    explicit PreparedGemm(std::shared_ptr<const State>);
    std::shared_ptr<const State> state_;
};

} // namespace tune_gemm
