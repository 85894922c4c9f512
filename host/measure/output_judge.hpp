// Judges the C that a candidate computed, in a job: against the reference of the candidate's arithmetic
// class.
#pragma once
#include "measure/operands.hpp"

#include <tune_gemm/candidate.hpp>
#include <tune_gemm/catalogue.hpp>
#include <tune_gemm/validation.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tune_gemm::host {

/// For C := alpha*A*B + beta*C of the operands. alpha = 1 and beta = 0 is judge_product with the reference
/// that the operands keep; otherwise the general reference is computed here (above full_comparison_limit: 512
/// seeded entries of it), equal bit for bit to a sequential class, within componentwise_bound of a reordered
/// one.
template <class T>
class OutputJudge {
  public:
    /// The operands outlive the judge. `c` is the C that the product began with; empty when beta is 0.
    OutputJudge(Operands<T>&, const ArithmeticClass&, const GemmCandidate&, double alpha = 1, double beta = 0,
                std::span<const T> c = {});

    Judgement operator()(std::span<const std::byte> computed);
    /// The same of so many seeded entries only, the last one among them: for a product that has been judged
    /// whole before and is timed again.
    Judgement spot(std::span<const std::byte> computed, std::int64_t entries);

  private:
    /// Of every entry, or of `sampled` seeded ones.
    Judgement judge_entries(std::span<const T> computed, std::optional<std::int64_t> sampled);
    /// Expected value and bound of one entry of C, from a product of 1 x 1 x k.
    struct Expected {
        T value;
        double bound;
    };
    Expected entry(std::int64_t batch, std::int64_t i, std::int64_t j);

    Operands<T>& operands_;
    ArithmeticClass arithmetic_;
    GemmCandidate candidate_;
    double alpha_, beta_;
    std::vector<T> c_;
    std::vector<T> row_, column_; ///< room for entry()
};

} // namespace tune_gemm::host
