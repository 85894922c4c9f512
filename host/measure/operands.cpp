#include "measure/operands.hpp"

#include <tune_gemm/matrix.hpp>
#include <tune_gemm/reference.hpp>
#include <tune_gemm/validation.hpp>

#include <algorithm>
#include <cstring>

namespace tune_gemm::host {
namespace {

template <class T>
Buffer stored(const std::vector<double>& values) {
    Buffer buffer(static_cast<std::int64_t>(values.size() * sizeof(T)), Buffer::Use::result);
    // The f64 value is rounded once; for T = double this copies.
    std::transform(values.begin(), values.end(), buffer.as<T>(), [](double v) { return static_cast<T>(v); });
    return buffer;
}

} // namespace

template <class T>
Operands<T>::Operands(const GemmShape& shape, std::uint64_t seed)
    : shape_(shape), seed_(seed), a_(stored<T>(reproducible_operand(seed, shape, Operand::a))),
      b_(stored<T>(reproducible_operand(seed + static_cast<std::uint64_t>(shape.batch), shape, Operand::b))) {
}

template <class T>
std::span<const T> Operands<T>::reference(tg_muladd muladd) {
    if (multiply_adds(shape_) > full_comparison_limit)
        return {};
    auto& reference = references_[muladd];
    if (reference.empty()) {
        reference.resize(static_cast<std::size_t>(c_length()));
        gemm_reference_general<T>(shape_, 1, a(), b(), 0, reference, muladd);
    }
    return reference;
}

template <class T>
std::int64_t Operands<T>::bytes() const noexcept {
    std::size_t sum = a_.bytes().size() + b_.bytes().size();
    for (const auto& [muladd, reference] : references_)
        sum += reference.size() * sizeof(T);
    return static_cast<std::int64_t>(sum);
}

template <class T>
Operands<T>& OperandCache<T>::get(const GemmShape& shape, std::uint64_t seed) {
    const auto found = std::find_if(held_.begin(), held_.end(),
                                    [&](const auto& o) { return o.shape() == shape && o.seed() == seed; });
    if (found != held_.end()) {
        held_.splice(held_.begin(), held_, found);
        return held_.front();
    }
    // Room is made before more is taken: what is old goes until what is left fits beside the newcomer.
    const auto coming = static_cast<std::int64_t>(sizeof(T)) *
                        (matrix_length(shape, Operand::a) + matrix_length(shape, Operand::b) +
                         matrix_length(shape, Operand::c));
    while (!held_.empty() && bytes() > max_bytes_ - coming)
        held_.pop_back();
    held_.emplace_front(shape, seed);
    return held_.front();
}

template <class T>
std::int64_t OperandCache<T>::bytes() const noexcept {
    std::int64_t sum = 0;
    for (const auto& operands : held_)
        sum += operands.bytes();
    return sum;
}

template <class T>
OperandCache<T>& operand_cache() {
    static OperandCache<T> cache(operand_cache_bytes);
    return cache;
}

template class Operands<float>;
template class Operands<double>;
template class OperandCache<float>;
template class OperandCache<double>;
template OperandCache<float>& operand_cache<float>();
template OperandCache<double>& operand_cache<double>();

} // namespace tune_gemm::host
