// Whole operations on std::vectors, for tests, small programs and everything that is not timed.
#pragma once
#include <tune_gemm/catalogue.hpp>
#include <tune_gemm/error.hpp>
#include <tune_gemm/prepared.hpp>
#include <tune_gemm/shape.hpp>
#include <tune_gemm/validation.hpp>

#include <span>
#include <vector>

namespace tune_gemm {

/// A*B by the candidate's blocks and kernel, in layout_c. Zero extents are allowed. Throws Error when the
/// candidate is not valid or an operand has the wrong length.
std::vector<double> gemm_blocked(const GemmShape&, std::span<const double> a, std::span<const double> b,
                                 const GemmCandidate&, const Catalogue& = builtin_catalogue());
std::vector<float> gemm_blocked_f32(const GemmShape&, std::span<const float> a, std::span<const float> b,
                                    const GemmCandidate&, const Catalogue& = builtin_catalogue(TG_F32));

template <class T>
struct ExecutedIn {
    std::vector<T> c;
    Resolution resolution;
};
using Executed = ExecutedIn<double>;
/// One operation in the candidate's allocation mode. Gives a result only when the candidate is valid for the
/// shape and the operands have the right length; otherwise the reason. Never something that looks like a
/// fast, empty product.
Outcome<Executed> execute_candidate(const GemmShape&, std::span<const double> a, std::span<const double> b,
                                    const GemmCandidate&, std::int64_t limit,
                                    const Catalogue& = builtin_catalogue());
Outcome<ExecutedIn<float>> execute_candidate_f32(const GemmShape&, std::span<const float> a,
                                                 std::span<const float> b, const GemmCandidate&,
                                                 std::int64_t limit,
                                                 const Catalogue& = builtin_catalogue(TG_F32));

/// Runs execute_candidate, in the kernel's type, on reproducible operands (A from `seed`, B from seed +
/// batch) and judges the result against the reference of its class. To be asked before the candidate is ever
/// timed. A refusal comes back as such.
Outcome<Judgement> gemm_is_correct(const GemmShape&, const GemmCandidate&, std::int64_t limit,
                                   std::uint64_t seed, const Catalogue& = builtin_catalogue());

} // namespace tune_gemm
