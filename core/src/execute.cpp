#include <tune_gemm/execute.hpp>
#include <tune_gemm/matrix.hpp>
#include <tune_gemm/operation.hpp>
#include <tune_gemm/validity.hpp>

#include "elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace tune_gemm {
namespace {

template <class T>
constexpr tg_dtype dtype_of = sizeof(T) == sizeof(float) ? TG_F32 : TG_F64;

template <class T>
std::string other_type(const Resolution& resolution) {
    return fmt::format("Kernel {} computes in {}, and the operands are {}.",
                       resolution.candidate.microkernel_id, dtype_text(resolution.arithmetic.dtype),
                       dtype_text(dtype_of<T>));
}

/// Why operands of this length and type cannot be multiplied by the kernel; nothing when they can.
template <class T>
std::optional<Refusal> judge_operand(const GemmShape& shape, Operand operand, std::span<const T> data) {
    const std::int64_t expected = matrix_length(shape, operand);
    if (static_cast<std::int64_t>(data.size()) == expected)
        return std::nullopt;
    const char* name = operand == Operand::a ? "a" : "b";
    return Refusal{name, fmt::format("Operand {} has {} elements; shape {} needs {}.", name, data.size(),
                                     shape_text(shape), expected)};
}

/// Every step of the candidate's allocation mode.
template <class T>
std::vector<T> operate(PreparedGemm prepared, const GemmShape& shape, std::span<const T> a,
                       std::span<const T> b) {
    std::vector<T> c = make_elements<T>(matrix_length(shape, Operand::c));
    Operation operation(std::move(prepared), a.data(), b.data(),
                        static_cast<std::int64_t>(c.size() * sizeof(T)));
    operation.set_up();
    operation.begin_use();
    operation.multiply();
    const std::span<const T> result(reinterpret_cast<const T*>(operation.c().data()), c.size());
    std::copy(result.begin(), result.end(), c.begin());
    operation.end_use();
    operation.tear_down();
    return c;
}

/// One operation, or why not.
template <class T>
Outcome<ExecutedIn<T>> multiply_once(const GemmShape& shape, std::span<const T> a, std::span<const T> b,
                                     const GemmCandidate& candidate, std::int64_t limit,
                                     const Catalogue& catalogue) {
    if (const Validity valid = candidate_valid_for_shape(candidate, shape, limit, catalogue); !valid)
        return Refusal{valid.field, valid.reason};
    if (auto no = judge_operand(shape, Operand::a, a))
        return *no;
    if (auto no = judge_operand(shape, Operand::b, b))
        return *no;
    auto prepared = PreparedGemm::make(problem_of(shape), candidate, limit, catalogue);
    if (!prepared)
        return prepared.refusal();
    const Resolution resolution = prepared.value().resolution();
    if (resolution.arithmetic.dtype != dtype_of<T>)
        return Refusal{"microkernel_id", other_type<T>(resolution)};
    return ExecutedIn<T>{operate<T>(std::move(prepared.value()), shape, a, b), resolution};
}

template <class T>
std::vector<T> blocked(const GemmShape& shape, std::span<const T> a, std::span<const T> b,
                       const GemmCandidate& candidate, const Catalogue& catalogue) {
    require_length(shape, Operand::a, a);
    require_length(shape, Operand::b, b);
    auto prepared = PreparedGemm::make(problem_of(shape), candidate, default_workspace_limit, catalogue);
    if (!prepared)
        throw_bad_input(prepared.refusal().reason);
    const Resolution& resolution = prepared.value().resolution();
    if (resolution.arithmetic.dtype != dtype_of<T>)
        throw_bad_input(other_type<T>(resolution));
    return operate<T>(std::move(prepared.value()), shape, a, b);
}

template <class T>
Outcome<Judgement> judge_candidate(const GemmShape& shape, std::span<const T> a, std::span<const T> b,
                                   const GemmCandidate& candidate, std::int64_t limit, std::uint64_t seed,
                                   const Catalogue& catalogue) {
    const auto product = multiply_once<T>(shape, a, b, candidate, limit, catalogue);
    if (!product)
        return product.refusal();
    const Resolution& resolution = product.value().resolution;
    return judge_product<T>(shape, a, b, product.value().c, resolution.arithmetic, resolution.candidate,
                            seed);
}

} // namespace

std::vector<double> gemm_blocked(const GemmShape& shape, std::span<const double> a, std::span<const double> b,
                                 const GemmCandidate& candidate, const Catalogue& catalogue) {
    return blocked<double>(shape, a, b, candidate, catalogue);
}
std::vector<float> gemm_blocked_f32(const GemmShape& shape, std::span<const float> a,
                                    std::span<const float> b, const GemmCandidate& candidate,
                                    const Catalogue& catalogue) {
    return blocked<float>(shape, a, b, candidate, catalogue);
}

Outcome<Executed> execute_candidate(const GemmShape& shape, std::span<const double> a,
                                    std::span<const double> b, const GemmCandidate& candidate,
                                    std::int64_t limit, const Catalogue& catalogue) {
    return multiply_once<double>(shape, a, b, candidate, limit, catalogue);
}
Outcome<ExecutedIn<float>> execute_candidate_f32(const GemmShape& shape, std::span<const float> a,
                                                 std::span<const float> b, const GemmCandidate& candidate,
                                                 std::int64_t limit, const Catalogue& catalogue) {
    return multiply_once<float>(shape, a, b, candidate, limit, catalogue);
}

Outcome<Judgement> gemm_is_correct(const GemmShape& shape, const GemmCandidate& candidate, std::int64_t limit,
                                   std::uint64_t seed, const Catalogue& catalogue) {
    // Before operands are made: an invalid shape may ask for more memory than there is.
    if (const Validity valid = candidate_valid_for_shape(candidate, shape, limit, catalogue); !valid)
        return Refusal{valid.field, valid.reason};
    const KernelInfo& kernel = *catalogue.resolve(candidate.microkernel_id).value();
    const auto a = reproducible_operand(seed, shape, Operand::a);
    const auto b = reproducible_operand(seed + static_cast<std::uint64_t>(shape.batch), shape, Operand::b);
    if (kernel.arithmetic.dtype == TG_F32)
        return judge_candidate<float>(shape, to_f32(a), to_f32(b), candidate, limit, seed, catalogue);
    return judge_candidate<double>(shape, a, b, candidate, limit, seed, catalogue);
}

} // namespace tune_gemm
