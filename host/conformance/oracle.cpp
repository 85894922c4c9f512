#include "conformance/oracle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tune_gemm::host {
namespace {

Quad magnitude(Quad x) noexcept {
    return x < 0 ? -x : x;
}

/// gamma_k = k*u/(1 - k*u).
template <class T>
Quad gamma_of(std::int64_t k) noexcept {
    const Quad u = Quad(std::numeric_limits<T>::epsilon()) / 2;
    const Quad ku = Quad(k) * u;
    return ku < 1 ? ku / (1 - ku) : Quad(std::numeric_limits<double>::infinity());
}

template <class T>
T multiply_add(T x, T y, T sum, tg_muladd how) noexcept {
    if (how == TG_FUSED)
        return std::fma(x, y, sum);
    const T product = x * y; // rounded: the project is compiled without contraction
    return sum + product;
}

template <class T>
void sum_in_order(const Numbers<T>& numbers, T alpha, T beta, tg_muladd how, std::vector<T>& out) {
    const std::int64_t n = numbers.n, k = alpha == T(0) ? 0 : numbers.k;
    for (std::int64_t i = 0; i < numbers.m; ++i) {
        T* row = out.data() + i * n;
        const T* start = numbers.c.data() + i * n;
        for (std::int64_t j = 0; j < n; ++j)
            row[j] = beta == T(0) ? T(0) : beta == T(1) ? start[j] : beta * start[j];
        for (std::int64_t l = 0; l < k; ++l) {
            const T x = numbers.a[static_cast<std::size_t>(i * numbers.k + l)];
            const T* right = numbers.b.data() + l * n;
            for (std::int64_t j = 0; j < n; ++j)
                row[j] = multiply_add(x, alpha == T(1) ? right[j] : alpha * right[j], row[j], how);
        }
    }
}

} // namespace

template <class T>
void Expectation<T>::compute(const Numbers<T>& numbers, T alpha, T beta, tg_muladd muladd, Judging judging) {
    judging_ = judging;
    if (judging == Judging::bound)
        return compute_bound(numbers, alpha, beta);
    values_.resize(static_cast<std::size_t>(numbers.m * numbers.n));
    sum_in_order(numbers, alpha, beta, muladd, values_);
}

template <class T>
void Expectation<T>::compute_bound(const Numbers<T>& numbers, T alpha, T beta) {
    const auto entries = static_cast<std::size_t>(numbers.m * numbers.n);
    exact_.assign(entries, 0);
    bound_.assign(entries, 0);
    const std::int64_t n = numbers.n, k = alpha == T(0) ? 0 : numbers.k;
    // Roundings that one term can meet: its product and k - 1 sums; one more for c; two more for alpha and
    // beta.
    const bool plain = alpha == T(1) || alpha == T(0);
    const std::int64_t roundings = plain && beta == T(0)   ? k
                                   : plain && beta == T(1) ? (k == 0 ? 0 : k + 1)
                                                           : k + 2;
    const Quad gamma = gamma_of<T>(roundings);
    // Half the smallest subnormal for each product that underflows (and for alpha*b, beta*c).
    const Quad underflow =
        Quad(std::numeric_limits<T>::denorm_min()) / 2 * Quad(plain ? k : 2 * k + 1) * (1 + gamma);
    for (std::int64_t i = 0; i < numbers.m; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
            Quad sum = 0, sum_abs = 0, sum_abs_a = 0;
            for (std::int64_t l = 0; l < k; ++l) {
                const Quad x = numbers.a[static_cast<std::size_t>(i * numbers.k + l)];
                const Quad y = numbers.b[static_cast<std::size_t>(l * n + j)];
                sum += x * y * Quad(alpha);
                sum_abs += magnitude(x * y * Quad(alpha));
                sum_abs_a += magnitude(x);
            }
            if (beta != T(0)) {
                const Quad start = Quad(beta) * Quad(numbers.c[static_cast<std::size_t>(i * n + j)]);
                sum += start;
                sum_abs += magnitude(start);
            }
            const auto at = static_cast<std::size_t>(i * n + j);
            exact_[at] = sum;
            bound_[at] = gamma * sum_abs + underflow * (plain ? Quad(1) : 1 + sum_abs_a);
        }
    }
}

template <class T>
bool Expectation<T>::within_bound(std::size_t at, T actual) const noexcept {
    const Quad exact = exact_[at];
    if (exact != exact)
        return actual != actual;
    const bool finite = exact - exact == 0;
    if (!finite || magnitude(exact) + bound_[at] > Quad(std::numeric_limits<T>::max())) {
        // Infinite, or near enough to the largest number that a rounding decides.
        const bool same_infinity = std::isinf(actual) && (actual > 0) == (exact > 0);
        return same_infinity || (finite && magnitude(Quad(actual) - exact) <= bound_[at]);
    }
    return magnitude(Quad(actual) - exact) <= bound_[at];
}

template <class T>
std::string Expectation<T>::difference(std::int64_t index, T actual) const {
    const auto at = static_cast<std::size_t>(index);
    if (judging_ != Judging::bound)
        return fmt::format("is {0} ({0:a}), expected {1} ({1:a})", actual, values_[at]);
    return fmt::format("is {0} ({0:a}), expected {1} within {2:.3g}", actual, static_cast<double>(exact_[at]),
                       static_cast<double>(bound_[at]));
}

template class Expectation<float>;
template class Expectation<double>;

} // namespace tune_gemm::host
