#include "measure/output_judge.hpp"

#include <tune_gemm/reference.hpp>

#include <algorithm>
#include <cmath>
#include <random>

namespace tune_gemm::host {
namespace {

constexpr std::int64_t sampled_entries = 512;

/// C lives in a Buffer, which is aligned for every type.
template <class T>
std::span<const T> elements(std::span<const std::byte> computed) noexcept {
    return {reinterpret_cast<const T*>(computed.data()), computed.size() / sizeof(T)};
}

} // namespace

template <class T>
OutputJudge<T>::OutputJudge(Operands<T>& operands, const ArithmeticClass& arithmetic,
                            const GemmCandidate& candidate, double alpha, double beta, std::span<const T> c)
    : operands_(operands), arithmetic_(arithmetic), candidate_(candidate), alpha_(alpha), beta_(beta),
      c_(c.begin(), c.end()) {}

template <class T>
Judgement OutputJudge<T>::operator()(std::span<const std::byte> computed) {
    const std::span<const T> c = elements<T>(computed);
    if (alpha_ != 1 || beta_ != 0)
        return judge_entries(c, multiply_adds(operands_.shape()) > full_comparison_limit
                                    ? std::optional(sampled_entries)
                                    : std::nullopt);
    // A kernel of a reordered class may fuse or not; its reference is the one with two roundings.
    const tg_muladd muladd = arithmetic_.muladd == TG_FUSED ? TG_FUSED : TG_TWO_ROUNDINGS;
    return judge_product<T>(operands_.shape(), operands_.a(), operands_.b(), c, arithmetic_, candidate_,
                            operands_.seed(), operands_.reference(muladd));
}

template <class T>
Judgement OutputJudge<T>::spot(std::span<const std::byte> computed, std::int64_t entries) {
    return judge_entries(elements<T>(computed), entries);
}

template <class T>
typename OutputJudge<T>::Expected OutputJudge<T>::entry(std::int64_t batch, std::int64_t i, std::int64_t j) {
    const GemmShape& shape = operands_.shape();
    const Strides a = strides_of(shape, Operand::a), b = strides_of(shape, Operand::b),
                  c = strides_of(shape, Operand::c);
    const auto k = static_cast<std::size_t>(shape.k);
    row_.resize(k);
    column_.resize(k);
    double sum_abs = 0;
    for (std::int64_t l = 0; l < shape.k; ++l) {
        const T x = operands_.a()[static_cast<std::size_t>(batch * a.batch + i * a.row + l * a.column)];
        const T y = operands_.b()[static_cast<std::size_t>(batch * b.batch + l * b.row + j * b.column)];
        row_[static_cast<std::size_t>(l)] = x;
        column_[static_cast<std::size_t>(l)] = y;
        sum_abs += std::fabs(static_cast<double>(x) * static_cast<double>(y));
    }
    T value = 0;
    double abs_c = 0;
    if (!c_.empty()) {
        value = c_[static_cast<std::size_t>(batch * c.batch + i * c.row + j * c.column)];
        abs_c = std::fabs(static_cast<double>(value));
    }
    const tg_muladd muladd = arithmetic_.muladd == TG_FUSED ? TG_FUSED : TG_TWO_ROUNDINGS;
    gemm_reference_general<T>(GemmShape{1, 1, shape.k}, alpha_, row_, column_, beta_, std::span<T>(&value, 1),
                              muladd);
    const double bound = arithmetic_.order == TG_SEQUENTIAL
                             ? 0
                             : componentwise_bound(shape.k, sum_abs, alpha_, beta_, abs_c, arithmetic_.dtype);
    return {value, bound};
}

template <class T>
Judgement OutputJudge<T>::judge_entries(std::span<const T> computed, std::optional<std::int64_t> sampled) {
    const GemmShape& shape = operands_.shape();
    const Strides strides = strides_of(shape, Operand::c);
    Judgement judgement;
    judgement.sampled = sampled.has_value();
    if (static_cast<std::int64_t>(computed.size()) != operands_.c_length())
        return judgement;
    const auto compare = [&](std::int64_t batch, std::int64_t i, std::int64_t j) {
        const Expected expected = entry(batch, i, j);
        const T actual =
            computed[static_cast<std::size_t>(batch * strides.batch + i * strides.row + j * strides.column)];
        const double error = std::fabs(static_cast<double>(actual) - static_cast<double>(expected.value));
        const bool right =
            arithmetic_.order == TG_SEQUENTIAL ? same_bits(expected.value, actual) : error <= expected.bound;
        ++judgement.compared;
        if (std::isfinite(error))
            judgement.max_abs_error = std::max(judgement.max_abs_error, error);
        judgement.bound = std::max(judgement.bound, expected.bound);
        if (!right) {
            ++judgement.wrong;
            if (!judgement.first)
                judgement.first = Difference{batch,
                                             i,
                                             j,
                                             static_cast<double>(expected.value),
                                             static_cast<double>(actual),
                                             error,
                                             expected.bound};
        }
    };
    if (judgement.sampled) {
        std::mt19937_64 random(operands_.seed());
        const auto below = [&](std::int64_t extent) {
            return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(extent));
        };
        // The last entry first: the tails of both tiles meet there.
        compare(shape.batch - 1, shape.m - 1, shape.n - 1);
        while (judgement.compared < *sampled)
            compare(below(shape.batch), below(shape.m), below(shape.n));
    } else {
        for (std::int64_t batch = 0; batch < shape.batch; ++batch)
            for (std::int64_t i = 0; i < shape.m; ++i)
                for (std::int64_t j = 0; j < shape.n; ++j)
                    compare(batch, i, j);
    }
    judgement.correct = judgement.compared > 0 && judgement.wrong == 0;
    return judgement;
}

template class OutputJudge<float>;
template class OutputJudge<double>;

} // namespace tune_gemm::host
