// Eigen takes from the stack what it packs into, up to this limit, and the rest from the heap. Its own limit
// of 128 KiB, once for each factor, would not fit the stacks that a kernel may be called on.
#define EIGEN_STACK_ALLOCATION_LIMIT 16384
#define EIGEN_DONT_PARALLELIZE
#define EIGEN_NO_DEBUG
#include "product.hpp"

#include <Eigen/Core>

namespace tune_gemm::baselines {
namespace {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>;

/// rows x columns elements by columns, `leading` apart.
template <class T>
auto view(const T* data, std::int64_t rows, std::int64_t columns, std::int64_t leading) {
    return Eigen::Map<const Matrix<T>, Eigen::Unaligned, Eigen::OuterStride<>>(data, rows, columns,
                                                                               Eigen::OuterStride<>(leading));
}

template <class T, class C, class A, class B>
void multiply(T alpha, const A& a, const B& b, T beta, C& c) {
    if (beta == T(0)) {
        c.noalias() = alpha * (a * b);
        return;
    }
    if (beta != T(1))
        c *= beta;
    c.noalias() += alpha * (a * b);
}

/// One factor of a product by columns.
template <class T>
struct Factor {
    const T* data;
    std::int64_t leading;
    bool transposed;
};

/// C of m x n by columns.
template <class T>
void multiply_columns(const Request<T>& r, std::int64_t m, std::int64_t n, const Factor<T>& a,
                      const Factor<T>& b, T* data, std::int64_t ldc) {
    const std::int64_t k = r.k;
    Eigen::Map<Matrix<T>, Eigen::Unaligned, Eigen::OuterStride<>> c(data, m, n, Eigen::OuterStride<>(ldc));
    const auto with_b = [&](const auto& left) {
        if (b.transposed)
            multiply(r.alpha, left, view(b.data, n, k, b.leading).transpose(), r.beta, c);
        else
            multiply(r.alpha, left, view(b.data, k, n, b.leading), r.beta, c);
    };
    if (a.transposed)
        with_b(view(a.data, k, m, a.leading).transpose());
    else
        with_b(view(a.data, m, k, a.leading));
}

template <class T>
void product(const Request<T>& r, const BlasCall& call, const Operands<T>& operands) {
    each_matrix(r, operands, [&](const T* a, const T* b, T* c) {
        const Factor<T> first{a, call.lda, call.transpose_a}, second{b, call.ldb, call.transpose_b};
        if (call.by_rows) // C^T = B^T * A^T
            multiply_columns(r, r.n, r.m, second, first, c, call.ldc);
        else
            multiply_columns(r, r.m, r.n, first, second, c, call.ldc);
    });
}

} // namespace

void eigen_product(const Request<double>& r, const BlasCall& call, const Operands<double>& operands) {
    product(r, call, operands);
}

void eigen_product(const Request<float>& r, const BlasCall& call, const Operands<float>& operands) {
    product(r, call, operands);
}

} // namespace tune_gemm::baselines
