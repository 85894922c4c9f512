#include "elements.hpp"
#include "sample_entries.hpp"

#include <tune_gemm/reference.hpp>
#include <tune_gemm/validation.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace tune_gemm {
namespace {

/// Work that sampling may cost: as many multiply-adds as the largest full comparison, and this many entries.
constexpr std::int64_t most_entries = 65536, least_entries = 64;

struct Allowed {
    double value, bound;
    bool any_overflow =
        false; ///< some order of summation overflows: then infinities and NaN are right as well
};

/// The entry summed in long double, and what any order of summation in T may be off by.
template <class T>
Allowed exact_entry(const GemmShape& shape, std::span<const T> a, std::span<const T> b, const Entry& entry,
                    tg_dtype dtype) {
    const Strides sa = strides_of(shape, Operand::a);
    const Strides sb = strides_of(shape, Operand::b);
    const T* row = a.data() + entry.batch * sa.batch + entry.i * sa.row;
    const T* column = b.data() + entry.batch * sb.batch + entry.j * sb.column;
    long double sum = 0, magnitude = 0;
    for (std::int64_t l = 0; l < shape.k; ++l) {
        const long double product = static_cast<long double>(row[l * sa.column]) * column[l * sb.row];
        sum += product;
        magnitude += std::fabs(product);
    }
    // A magnitude may be larger than any double where the sum, and so the bound, is not: then it is scaled.
    const long double scale = magnitude > std::numeric_limits<double>::max() ? 0x1p64L : 1;
    const double bound =
        componentwise_bound(shape.k, static_cast<double>(magnitude / scale), 1, 0, 0, dtype) *
        static_cast<double>(scale);
    // The long sum itself is off by k*2^-64 of the magnitude (less where long double is wider), the bound by
    // k*2^-53: a thousandth more never lets a wrong entry pass that matters, and never fails a right one.
    const bool overflows = std::isfinite(magnitude) && !(magnitude + bound <= std::numeric_limits<T>::max());
    return {static_cast<double>(sum), bound * (1 + 0x1p-10), overflows};
}

template <class T>
class Judge {
  public:
    Judge(const GemmShape& shape, std::span<const T> a, std::span<const T> b, std::span<const T> c,
          const ArithmeticClass& arithmetic, std::span<const T> reference)
        : shape_(shape), a_(a), b_(b), c_(c), arithmetic_(arithmetic), reference_(reference),
          strides_(strides_of(shape, Operand::c)) {}

    void compare(const Entry& entry) {
        const auto at = static_cast<std::size_t>(entry.batch * strides_.batch + entry.i * strides_.row +
                                                 entry.j * strides_.column);
        const T actual = c_[at];
        ++judgement_.compared;
        Difference difference{.batch = entry.batch, .i = entry.i, .j = entry.j, .actual = actual};
        bool right = false;
        if (arithmetic_.order == TG_REORDERED) {
            const Allowed allowed = exact_entry(shape_, a_, b_, entry, arithmetic_.dtype);
            difference.expected = allowed.value;
            difference.bound = allowed.bound;
            difference.error = std::fabs(actual - allowed.value);
            if (std::isfinite(
                    allowed.value)) // NaN is not <= anything, so it fails here unless a sum may overflow.
                right = difference.error <= allowed.bound || (allowed.any_overflow && !std::isfinite(actual));
            else
                right = same_bits(static_cast<double>(actual), allowed.value) || allowed.any_overflow;
            if (std::isfinite(allowed.bound))
                judgement_.bound = std::max(judgement_.bound, allowed.bound);
        } else {
            const T expected = reference_.empty() ? reference_entry(shape_, a_, b_, entry.batch, entry.i,
                                                                    entry.j, arithmetic_.muladd)
                                                  : reference_[at];
            difference.expected = expected;
            difference.error = std::fabs(static_cast<double>(actual) - static_cast<double>(expected));
            right = same_bits(actual, expected);
        }
        if (std::isfinite(difference.error))
            judgement_.max_abs_error = std::max(judgement_.max_abs_error, difference.error);
        if (!right) {
            ++judgement_.wrong;
            if (!judgement_.first)
                judgement_.first = difference;
        }
    }

    /// Every entry has the bits that it should have: what compare would find of each, all at once.
    Judgement finish_equal() {
        judgement_.compared = static_cast<std::int64_t>(c_.size());
        return finish(false);
    }

    Judgement finish(bool sampled) {
        judgement_.sampled = sampled;
        judgement_.correct = judgement_.wrong == 0;
        return judgement_;
    }

  private:
    const GemmShape& shape_;
    std::span<const T> a_, b_, c_;
    const ArithmeticClass& arithmetic_;
    std::span<const T> reference_;
    Strides strides_;
    Judgement judgement_;
};

} // namespace

template <class T>
Judgement judge_product(const GemmShape& shape, std::span<const T> a, std::span<const T> b,
                        std::span<const T> c, const ArithmeticClass& arithmetic,
                        const GemmCandidate& candidate, std::uint64_t seed, std::span<const T> reference) {
    require_length(shape, Operand::a, a);
    require_length(shape, Operand::b, b);
    require_length(shape, Operand::c, c);
    if (!reference.empty())
        require_length(shape, Operand::c, reference);
    if (arithmetic.dtype != (sizeof(T) == 8 ? TG_F64 : TG_F32)) {
        throw_bad_input(
            fmt::format("A product of class {} is judged on elements of its own type, not on {} bytes.",
                        to_text(arithmetic), sizeof(T)));
    }
    if (c.empty())
        return Judge<T>(shape, a, b, c, arithmetic, reference).finish(false);

    if (multiply_adds(shape) > full_comparison_limit) {
        const auto most = std::clamp(full_comparison_limit / shape.k, least_entries, most_entries);
        Judge<T> judge(shape, a, b, c, arithmetic, reference);
        for (const Entry& entry : sample_entries(shape, candidate, seed, static_cast<std::size_t>(most)))
            judge.compare(entry);
        return judge.finish(true);
    }
    std::vector<T> computed;
    if (reference.empty() && arithmetic.order == TG_SEQUENTIAL) {
        computed = make_elements<T>(static_cast<std::int64_t>(c.size()));
        gemm_reference_general<T>(shape, 1, a, b, 0, computed, arithmetic.muladd);
        reference = computed;
    }
    Judge<T> judge(shape, a, b, c, arithmetic, reference);
    // Most products are right, and most of the time that tuning takes went into looking at each entry.
    if (arithmetic.order != TG_REORDERED && reference.size() == c.size() &&
        std::memcmp(c.data(), reference.data(), c.size_bytes()) == 0)
        return judge.finish_equal();
    for (std::int64_t batch = 0; batch < shape.batch; ++batch)
        for (std::int64_t i = 0; i < shape.m; ++i)
            for (std::int64_t j = 0; j < shape.n; ++j)
                judge.compare({batch, i, j});
    return judge.finish(false);
}

template Judgement judge_product<double>(const GemmShape&, std::span<const double>, std::span<const double>,
                                         std::span<const double>, const ArithmeticClass&,
                                         const GemmCandidate&, std::uint64_t, std::span<const double>);
template Judgement judge_product<float>(const GemmShape&, std::span<const float>, std::span<const float>,
                                        std::span<const float>, const ArithmeticClass&, const GemmCandidate&,
                                        std::uint64_t, std::span<const float>);

} // namespace tune_gemm
