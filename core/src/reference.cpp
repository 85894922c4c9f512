#include "elements.hpp"
#include "fused_sums.hpp"

#include <tune_gemm/reference.hpp>

namespace tune_gemm {
namespace {

/// The product rounded and then the sum: this file is compiled without contraction.
template <class T>
void add_row(T x, const T* row, T* sums, std::int64_t n) noexcept {
    for (std::int64_t j = 0; j < n; ++j)
        sums[j] = sums[j] + x * row[j];
}

/// The product of one batch. For a given entry the additions come in increasing l: the loop over l is outside
/// the one over j only so that neighbouring entries are summed side by side, each with its own sum.
template <class T>
void multiply_batch(const GemmShape& shape, T alpha, const T* a, const T* b, T beta, T* c, tg_muladd muladd) {
    const Strides sa = strides_of(shape, Operand::a);
    const Strides sb = strides_of(shape, Operand::b);
    const Strides sc = strides_of(shape, Operand::c);
    auto scaled_b = make_elements<T>(alpha == T(0) ? 0 : shape.k * shape.n); // alpha*B, row-major
    for (std::size_t index = 0; index < scaled_b.size(); ++index) {
        const auto l = static_cast<std::int64_t>(index) / shape.n,
                   j = static_cast<std::int64_t>(index) % shape.n;
        const T element = b[l * sb.row + j * sb.column];
        scaled_b[index] = alpha == T(1) ? element : alpha * element;
    }
    const auto add = muladd == TG_FUSED ? fused_sums<T>().add_row : add_row<T>;
    auto sums = make_elements<T>(shape.n);
    for (std::int64_t i = 0; i < shape.m; ++i) {
        for (std::int64_t j = 0; j < shape.n; ++j) {
            const T* old = c + i * sc.row + j * sc.column;
            sums[static_cast<std::size_t>(j)] = beta == T(0) ? T(0) : beta == T(1) ? *old : beta * *old;
        }
        for (std::int64_t l = 0; l < shape.k && !scaled_b.empty(); ++l) {
            const T element = a[i * sa.row + l * sa.column];
            add(element, scaled_b.data() + l * shape.n, sums.data(), shape.n);
        }
        for (std::int64_t j = 0; j < shape.n; ++j)
            c[i * sc.row + j * sc.column] = sums[static_cast<std::size_t>(j)];
    }
}

template <class T>
void multiply(const GemmShape& shape, T alpha, std::span<const T> a, std::span<const T> b, T beta,
              std::span<T> c, tg_muladd muladd) {
    if (c.empty())
        return;
    const std::int64_t step_a = strides_of(shape, Operand::a).batch;
    const std::int64_t step_b = strides_of(shape, Operand::b).batch;
    const std::int64_t step_c = strides_of(shape, Operand::c).batch;
    for (std::int64_t batch = 0; batch < shape.batch; ++batch) {
        const T* a_matrix = alpha == T(0) ? nullptr : a.data() + batch * step_a;
        const T* b_matrix = alpha == T(0) ? nullptr : b.data() + batch * step_b;
        multiply_batch(shape, alpha, a_matrix, b_matrix, beta, c.data() + batch * step_c, muladd);
    }
}

std::vector<double> plain_product(const GemmShape& shape, std::span<const double> a,
                                  std::span<const double> b, tg_muladd muladd) {
    auto c = make_elements<double>(matrix_length(shape, Operand::c));
    gemm_reference_general<double>(shape, 1.0, a, b, 0.0, c, muladd);
    return c;
}

} // namespace

std::vector<double> gemm_reference(const GemmShape& shape, std::span<const double> a,
                                   std::span<const double> b) {
    return plain_product(shape, a, b, TG_TWO_ROUNDINGS);
}

std::vector<double> gemm_reference_fused(const GemmShape& shape, std::span<const double> a,
                                         std::span<const double> b) {
    return plain_product(shape, a, b, TG_FUSED);
}

template <class T>
void gemm_reference_general(const GemmShape& shape, double alpha, std::span<const T> a, std::span<const T> b,
                            double beta, std::span<T> c, tg_muladd muladd) {
    const auto alpha_t = static_cast<T>(alpha), beta_t = static_cast<T>(beta);
    require_length(shape, Operand::c, c);
    if (alpha_t != T(0)) { // A and B are not read otherwise, and may be absent.
        require_length(shape, Operand::a, a);
        require_length(shape, Operand::b, b);
    }
    multiply<T>(shape, alpha_t, a, b, beta_t, c, muladd);
}

template <class T>
T reference_entry(const GemmShape& shape, std::span<const T> a, std::span<const T> b, std::int64_t b_index,
                  std::int64_t i, std::int64_t j, tg_muladd muladd) {
    const Strides sa = strides_of(shape, Operand::a);
    const Strides sb = strides_of(shape, Operand::b);
    const T* row = a.data() + b_index * sa.batch + i * sa.row;
    const T* column = b.data() + b_index * sb.batch + j * sb.column;
    if (muladd == TG_FUSED)
        return fused_sums<T>().dot(row, sa.column, column, sb.row, shape.k);
    T sum = 0;
    for (std::int64_t l = 0; l < shape.k; ++l)
        sum = sum + row[l * sa.column] * column[l * sb.row];
    return sum;
}

template void gemm_reference_general<double>(const GemmShape&, double, std::span<const double>,
                                             std::span<const double>, double, std::span<double>, tg_muladd);
template void gemm_reference_general<float>(const GemmShape&, double, std::span<const float>,
                                            std::span<const float>, double, std::span<float>, tg_muladd);
template double reference_entry<double>(const GemmShape&, std::span<const double>, std::span<const double>,
                                        std::int64_t, std::int64_t, std::int64_t, tg_muladd);
template float reference_entry<float>(const GemmShape&, std::span<const float>, std::span<const float>,
                                      std::int64_t, std::int64_t, std::int64_t, tg_muladd);

} // namespace tune_gemm
