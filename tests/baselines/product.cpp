#include "product.hpp"

#include <tune_gemm/matrix.hpp>
#include <tune_gemm/reference.hpp>
#include <tune_gemm/validation.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace tune_gemm::baselines_test {
namespace {

/// Strided memory of rows x columns x batch elements, exactly as long as they reach.
template <class T>
class Memory {
  public:
    Memory(std::int64_t rows, std::int64_t columns, std::int64_t batch, const Strides& strides, T filling)
        : rows_(rows), columns_(columns), batch_(batch), strides_(strides) {
        std::int64_t least = 0, most = 0;
        for (const auto& [count, stride] : {std::pair{rows, strides.row}, std::pair{columns, strides.column},
                                            std::pair{batch, strides.batch}})
            (stride < 0 ? least : most) += stride * std::max<std::int64_t>(count - 1, 0);
        const bool empty = rows == 0 || columns == 0 || batch == 0;
        first_ = -least;
        elements_.assign(empty ? 0 : static_cast<std::size_t>(most - least + 1), filling);
    }

    /// Null when there is no element.
    T* data() noexcept { return elements_.empty() ? nullptr : elements_.data() + first_; }
    T& at(std::int64_t b, std::int64_t i, std::int64_t j) noexcept {
        return data()[b * strides_.batch + i * strides_.row + j * strides_.column];
    }
    /// From tight row-major values.
    void put(const std::vector<T>& values) {
        each([&](std::int64_t b, std::int64_t i, std::int64_t j) {
            at(b, i, j) = values[static_cast<std::size_t>((b * rows_ + i) * columns_ + j)];
        });
    }
    /// Calls f(b, i, j) for each element.
    template <class Function>
    void each(Function&& f) {
        for (std::int64_t b = 0; b < batch_; ++b)
            for (std::int64_t i = 0; i < rows_; ++i)
                for (std::int64_t j = 0; j < columns_; ++j)
                    f(b, i, j);
    }
    std::vector<T>& elements() noexcept { return elements_; }

  private:
    std::int64_t rows_, columns_, batch_, first_ = 0;
    Strides strides_;
    std::vector<T> elements_;
};

template <class T>
std::vector<T> random_values(std::uint64_t seed, const GemmShape& shape, Operand operand) {
    const std::vector<double> values = reproducible_operand(seed, shape, operand);
    return std::vector<T>(values.begin(), values.end());
}

template <class T>
struct Numbers {
    explicit Numbers(const Product& p)
        : shape{p.m, p.n, p.k, p.batch}, a(random_values<T>(1, shape, Operand::a)),
          b(random_values<T>(100, shape, Operand::b)), c(random_values<T>(200, shape, Operand::c)) {
        if (p.a.batch == 0)
            share(a, p.m * p.k);
        if (p.b.batch == 0)
            share(b, p.k * p.n);
    }
    /// Each matrix becomes the first.
    static void share(std::vector<T>& values, std::int64_t length) {
        for (std::size_t at = static_cast<std::size_t>(length); at < values.size(); ++at)
            values[at] = values[at - static_cast<std::size_t>(length)];
    }
    GemmShape shape;
    std::vector<T> a, b, c; // tight, by rows
};

/// What is wrong with C, or nothing.
template <class T>
std::string judge(const Product& p, const Numbers<T>& numbers, Memory<T>& c, const Memory<T>& before) {
    std::vector<T> expected = numbers.c;
    gemm_reference_general<T>(numbers.shape, p.alpha, numbers.a, numbers.b, p.beta, expected,
                              TG_TWO_ROUNDINGS);
    constexpr tg_dtype type = sizeof(T) == 8 ? TG_F64 : TG_F32;
    std::string wrong;
    Memory<T> untouched = before; // C as it should be outside the matrix
    c.each([&](std::int64_t batch, std::int64_t i, std::int64_t j) {
        const auto index = static_cast<std::size_t>((batch * p.m + i) * p.n + j);
        double sum = 0;
        for (std::int64_t l = 0; l < p.k && p.alpha != 0; ++l)
            sum += std::abs(double{numbers.a[static_cast<std::size_t>((batch * p.m + i) * p.k + l)]} *
                            double{numbers.b[static_cast<std::size_t>((batch * p.k + l) * p.n + j)]});
        // The reference has an error of its own: twice the bound for two computed results.
        const double bound =
            2 * componentwise_bound(p.k, sum, p.alpha, p.beta, std::abs(double{numbers.c[index]}), type);
        const T actual = c.at(batch, i, j);
        if (!(std::abs(double{actual} - double{expected[index]}) <= bound) && wrong.empty())
            wrong = fmt::format("C({},{}) of batch {} is {}, expected {} within {}", i, j, batch, actual,
                                expected[index], bound);
        untouched.at(batch, i, j) = actual;
    });
    if (wrong.empty() && !c.elements().empty() &&
        std::memcmp(c.elements().data(), untouched.elements().data(), c.elements().size() * sizeof(T)) != 0)
        wrong = "memory between the lines of C was written";
    return wrong;
}

template <class T>
Verdict multiply_as(const Baseline& baseline, const Product& p) {
    constexpr T nan = std::numeric_limits<T>::quiet_NaN();
    const Numbers<T> numbers(p);
    Memory<T> a(p.m, p.k, p.batch, p.a, nan), b(p.k, p.n, p.batch, p.b, nan), c(p.m, p.n, p.batch, p.c, nan);
    if (p.alpha != 0) {
        a.put(numbers.a);
        b.put(numbers.b);
    }
    if (p.beta != 0)
        c.put(numbers.c);
    const Problem<T> problem(p);
    Plan plan(baseline, problem.problem);
    if (plan.status() != TG_OK)
        return {plan.status(), plan.sentence()};
    const Memory<T> before = c;
    // Where they are not read, A and B need not be anywhere.
    const bool read = p.alpha != 0;
    const tg_status status = plan.run(read ? a.data() : nullptr, read ? b.data() : nullptr, c.data());
    if (status != TG_OK)
        return {status, plan.sentence()};
    return {TG_OK, judge(p, numbers, c, before)};
}

} // namespace

Product product_of(std::int64_t m, std::int64_t n, std::int64_t k, int layouts, std::int64_t pad,
                   std::int64_t batch) {
    const auto strides = [pad](std::int64_t rows, std::int64_t columns, bool by_columns) {
        return by_columns ? Strides{1, rows + pad, (rows + pad) * columns + pad}
                          : Strides{columns + pad, 1, (columns + pad) * rows + pad};
    };
    Product p{m, n, k, batch};
    p.a = strides(m, k, (layouts & 1) != 0);
    p.b = strides(k, n, (layouts & 2) != 0);
    p.c = strides(m, n, (layouts & 4) != 0);
    return p;
}

template <class T>
Problem<T>::Problem(const Product& p)
    : alpha(static_cast<T>(p.alpha)), beta(static_cast<T>(p.beta)),
      problem{sizeof(tg_problem), p.threads, p.m,     p.n,        p.k,       p.batch, p.a.row,
              p.a.column,         p.a.batch, p.b.row, p.b.column, p.b.batch, p.c.row, p.c.column,
              p.c.batch,          &alpha,    &beta} {}
template struct Problem<float>;
template struct Problem<double>;

Verdict multiply(const Baseline& baseline, const Product& p) {
    return baseline.is_f32() ? multiply_as<float>(baseline, p) : multiply_as<double>(baseline, p);
}

std::string text_of(const Product& p) {
    const auto strides = [](const Strides& s) { return fmt::format("{},{},{}", s.row, s.column, s.batch); };
    return fmt::format("m={} n={} k={} batch={} A {} B {} C {} alpha={} beta={} threads={}", p.m, p.n, p.k,
                       p.batch, strides(p.a), strides(p.b), strides(p.c), p.alpha, p.beta, p.threads);
}

} // namespace tune_gemm::baselines_test
