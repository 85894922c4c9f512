#include "conformance/family.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace tune_gemm::host {
namespace {

template <class T>
constexpr bool is_double = sizeof(T) == 8;

/// Where an infinity or NaN goes, and what it meets.
template <class T>
constexpr std::array<T, 3> nonfinite_values{std::numeric_limits<T>::quiet_NaN(),
                                            std::numeric_limits<T>::infinity(),
                                            -std::numeric_limits<T>::infinity()};

template <class T>
class Filler {
  public:
    Filler(Numbers<T>& numbers, const Recipe& recipe)
        : numbers_(numbers), recipe_(recipe), chance_(recipe.seed) {}

    void fill() {
        switch (recipe_.family) {
        case Family::integers:
            integers(numbers_.a, 0);
            integers(numbers_.b, 1);
            integers(numbers_.c, 2);
            break;
        case Family::one_hot_a:
        case Family::one_hot_b:
            one_hot();
            break;
        case Family::cancelling:
            cancelling();
            break;
        case Family::scaled:
            scaled();
            break;
        case Family::subnormals:
            subnormals();
            break;
        case Family::signed_zeros:
            for (auto* values : {&numbers_.a, &numbers_.b, &numbers_.c})
                for (T& value : *values)
                    value = sign() * (chance_.below(4) == 0 ? T(1) : T(0));
            break;
        case Family::nonfinite_a:
        case Family::nonfinite_b:
        case Family::nonfinite_c:
            nonfinite();
            break;
        case Family::overflow:
            overflow();
            break;
        }
    }

  private:
    T sign() noexcept { return (chance_.next() & 1) != 0 ? T(-1) : T(1); }
    /// A random mantissa in [1, 2), all bits in use, either sign.
    T mantissa() noexcept {
        constexpr int digits = std::numeric_limits<T>::digits - 1;
        const auto bits = static_cast<T>(chance_.next() >> (64 - digits));
        return sign() * (T(1) + std::ldexp(bits, -digits));
    }
    T real(int exponent) noexcept { return std::ldexp(mantissa(), exponent); }

    /// Every integer is below the largest one for which a sum of k products, and c, stays exact. The numbers
    /// of the three operands start at different places, so that one operand taken for another shows too.
    void integers(std::vector<T>& values, std::int64_t which) {
        const double exact = is_double<T> ? 0x1p52 : 0x1p23;
        const auto terms = static_cast<double>(std::max<std::int64_t>(numbers_.k, 1));
        const auto largest = static_cast<std::int64_t>(std::min(std::sqrt(exact / terms), 0x1p20));
        const std::int64_t start = recipe_.index + which * 7;
        for (std::size_t at = 0; at < values.size(); ++at)
            values[at] = sign() * static_cast<T>(1 + (static_cast<std::int64_t>(at) + start) % largest);
    }

    void one_hot() {
        const bool in_a = recipe_.family == Family::one_hot_a;
        integers(in_a ? numbers_.b : numbers_.a, 1);
        integers(numbers_.c, 2);
        auto& hot = in_a ? numbers_.a : numbers_.b;
        std::fill(hot.begin(), hot.end(), T(0));
        if (numbers_.k == 0)
            return;
        for (std::int64_t s = 0; s < (in_a ? numbers_.m : numbers_.n); ++s) {
            const std::int64_t l = (s + recipe_.index) % numbers_.k;
            (in_a ? numbers_.at_a(s, l) : numbers_.at_b(l, s)) = T(1);
        }
    }

    void cancelling() {
        const T nearly = T(1) + std::numeric_limits<T>::epsilon() * T(64);
        for (std::int64_t l = 0; l < numbers_.k; ++l) {
            const bool repeats = l % 2 == 1;
            const int exponent = static_cast<int>(chance_.below(25)) - 12;
            for (std::int64_t i = 0; i < numbers_.m; ++i)
                numbers_.at_a(i, l) = repeats ? -numbers_.at_a(i, l - 1) * nearly : real(exponent);
            for (std::int64_t j = 0; j < numbers_.n; ++j)
                numbers_.at_b(l, j) =
                    repeats ? numbers_.at_b(l - 1, j) : real(static_cast<int>(chance_.below(5)) - 2);
        }
        for (T& value : numbers_.c)
            value = real(static_cast<int>(chance_.below(25)) - 12);
    }

    void scaled() {
        const int step = is_double<T> ? 200 : 30;
        for (std::int64_t i = 0; i < numbers_.m; ++i)
            for (std::int64_t l = 0; l < numbers_.k; ++l)
                numbers_.at_a(i, l) = real(step * static_cast<int>(i % 3 - 1));
        for (std::int64_t l = 0; l < numbers_.k; ++l)
            for (std::int64_t j = 0; j < numbers_.n; ++j)
                numbers_.at_b(l, j) = real(step * static_cast<int>((j + 1) % 3 - 1));
        for (std::int64_t i = 0; i < numbers_.m; ++i)
            for (std::int64_t j = 0; j < numbers_.n; ++j)
                numbers_.at_c(i, j) = real(step * static_cast<int>(i % 3 + (j + 1) % 3 - 2));
    }

    void subnormals() {
        const int smallest = std::numeric_limits<T>::min_exponent - 1; // of a normal number
        const int half = smallest / 2 - 2;
        for (T& value : numbers_.a)
            value = recipe_.variant == 0 ? real(smallest - 3) : real(half);
        for (T& value : numbers_.b)
            value = recipe_.variant == 0 ? real(0) : real(half - 2);
        for (T& value : numbers_.c)
            value = real(smallest - 2);
    }

    void nonfinite() {
        for (auto* values : {&numbers_.a, &numbers_.b, &numbers_.c})
            for (T& value : *values)
                value = sign() * static_cast<T>(std::max<std::int64_t>(chance_.below(6) - 2, 0));
        auto& planted = recipe_.family == Family::nonfinite_a   ? numbers_.a
                        : recipe_.family == Family::nonfinite_b ? numbers_.b
                                                                : numbers_.c;
        if (!planted.empty())
            planted[static_cast<std::size_t>(recipe_.index) % planted.size()] =
                nonfinite_values<T>[static_cast<std::size_t>(recipe_.variant)];
    }

    void overflow() {
        const int half = std::numeric_limits<T>::max_exponent / 2;
        for (T& value : numbers_.a)
            value = real(half);
        for (T& value : numbers_.b)
            value = real(half - 1 - static_cast<int>(chance_.below(3)));
        for (T& value : numbers_.c)
            value = real(2 * half - 2);
    }

    Numbers<T>& numbers_;
    const Recipe& recipe_;
    Chance chance_;
};

} // namespace

std::string_view to_text(Family family) noexcept {
    constexpr std::array<std::string_view, 11> texts{
        "integers",     "one-hot A",       "one-hot B",       "cancelling",      "scaled",     "subnormal",
        "signed zeros", "non-finite in A", "non-finite in B", "non-finite in C", "overflowing"};
    return texts[static_cast<std::size_t>(family)];
}

template <class T>
void fill(Numbers<T>& numbers, const Recipe& recipe) {
    Filler<T>(numbers, recipe).fill();
}

Judging judging_of(const ArithmeticClass& arithmetic, Family family) noexcept {
    if (arithmetic.order == TG_SEQUENTIAL)
        return Judging::bits;
    switch (family) {
    case Family::integers:
    case Family::one_hot_a:
    case Family::one_hot_b:
    case Family::nonfinite_a:
    case Family::nonfinite_b:
    case Family::nonfinite_c:
        return Judging::values; // exact in any order
    default:
        return Judging::bound;
    }
}

Deck::Deck(std::int64_t count, std::uint64_t seed)
    : cards_(static_cast<std::size_t>(count)), next_(cards_.size()), chance_(seed) {
    std::iota(cards_.begin(), cards_.end(), std::int64_t{0});
}

std::int64_t Deck::draw() noexcept {
    if (next_ == cards_.size()) {
        for (std::size_t left = cards_.size(); left > 1; --left)
            std::swap(cards_[left - 1],
                      cards_[static_cast<std::size_t>(chance_.below(static_cast<std::int64_t>(left)))]);
        next_ = 0;
    }
    return cards_[next_++];
}

template void fill<float>(Numbers<float>&, const Recipe&);
template void fill<double>(Numbers<double>&, const Recipe&);

} // namespace tune_gemm::host
