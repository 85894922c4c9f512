// A matrix (or a batch of them) with strides of any kind, in memory that shows stray reads and writes.
#pragma once
#include "awkward.hpp"

#include <tune_gemm/shape.hpp>

#include <algorithm>
#include <vector>

namespace tune_gemm::test {

/// How the entries lie: side by side along rows or columns, with a gap after each row (column) or none, or
/// with gaps everywhere.
enum class Lie { rows, gapped_rows, columns, gapped_columns, scattered };
inline constexpr Lie every_lie[] = {Lie::rows, Lie::gapped_rows, Lie::columns, Lie::gapped_columns,
                                    Lie::scattered};

template <class T>
class Strided {
  public:
    Strided(std::int64_t rows, std::int64_t columns, std::int64_t batch, Lie lie, Random& random)
        : rows_(rows), columns_(columns), batch_(batch) {
        const std::int64_t gap = lie == Lie::rows || lie == Lie::columns ? 0 : 1 + below(random, 5);
        const std::int64_t unit = lie == Lie::scattered ? 2 + below(random, 3) : 1;
        if (lie == Lie::columns || lie == Lie::gapped_columns)
            strides_ = {unit, unit * rows + gap, 0};
        else
            strides_ = {unit * columns + gap, unit, 0};
        strides_.batch = std::max(rows * strides_.row, columns * strides_.column) + gap;
        // What lies between the entries is a NaN that the matrix itself never holds as a result of
        // arithmetic.
        memory_.assign(static_cast<std::size_t>(batch * strides_.batch + 1), canary());
    }

    const Strides& strides() const { return strides_; }
    T* data() { return memory_.data(); }
    T& at(std::int64_t b, std::int64_t i, std::int64_t j) {
        return memory_[static_cast<std::size_t>(b * strides_.batch + i * strides_.row + j * strides_.column)];
    }

    template <class Visit>
    void for_each(Visit visit) {
        for (std::int64_t b = 0; b < batch_; ++b)
            for (std::int64_t i = 0; i < rows_; ++i)
                for (std::int64_t j = 0; j < columns_; ++j)
                    visit(b, i, j);
    }
    void fill(Random& random, bool infinite) {
        for_each([&](auto b, auto i, auto j) { at(b, i, j) = awkward<T>(random, infinite); });
    }
    /// The entries in row-major order, one matrix after the other.
    std::vector<T> tight() {
        std::vector<T> entries;
        for_each([&](auto b, auto i, auto j) { entries.push_back(at(b, i, j)); });
        return entries;
    }
    /// Whether something between the entries has changed.
    bool is_trodden() {
        std::vector<T> kept = tight();
        for_each([&](auto b, auto i, auto j) { at(b, i, j) = canary(); });
        const T wanted = canary();
        const bool trodden = std::any_of(memory_.begin(), memory_.end(), [&](const T& entry) {
            return std::memcmp(&entry, &wanted, sizeof entry) != 0;
        });
        auto next = kept.begin();
        for_each([&](auto b, auto i, auto j) { at(b, i, j) = *next++; });
        return trodden;
    }

  private:
    static T canary() { return std::numeric_limits<T>::quiet_NaN(); }

    std::int64_t rows_, columns_, batch_;
    Strides strides_{};
    std::vector<T> memory_;
};

} // namespace tune_gemm::test
