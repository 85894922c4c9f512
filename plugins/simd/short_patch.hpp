// Patches for narrow products of rows that lie in order, where k is short and what a call costs counts.
#pragma once
#include "columns.hpp"
#include "patch.hpp"

#include <utility>

namespace tune_gemm::simd {

/// `rows` rows of A with cs_a = 1, each in a register of its own. An address of one register and a number is
/// one operation together with the multiplication; of two registers, as in RowsOfA, it is two.
template <class T, int rows>
class RowPointers {
  public:
    [[gnu::always_inline]] explicit RowPointers(const tg_tile_args& args) noexcept {
        const std::size_t stride = static_cast<std::size_t>(args.rs_a) * sizeof(T);
        row_[0] = reinterpret_cast<std::uintptr_t>(args.a);
        unrolled<rows - 1>([&](auto i) { row_[i.value + 1] = hidden(row_[i.value] + stride); });
    }

    /// Row `row` of the column that is `ahead` of the present one.
    template <int row, int ahead>
    [[gnu::always_inline]] const T* at() const noexcept {
        return reinterpret_cast<const T*>(row_[row] + ahead * sizeof(T));
    }

    [[gnu::always_inline]] void advance(int columns) noexcept {
        unrolled<rows>([&](auto i) {
            row_[i.value] = hidden(row_[i.value] + static_cast<std::size_t>(columns) * sizeof(T));
        });
    }

  private:
    std::uintptr_t row_[rows];
};

/// step(Index<0>{}), step(Index<1>{}), ..., until k, which counts down, is 0 (then true) or there is none
/// left.
template <class Step, int... numbers>
[[gnu::always_inline]] inline bool steps_until_done(Step& step, std::int64_t& k,
                                                    std::integer_sequence<int, numbers...>) noexcept {
    return ((step(Index<numbers>{}), --k == 0) || ...);
}

/// What patch computes, for calls with cs_a = 1. Up to `most_steps` steps are taken without moving a pointer
/// or counting in a loop.
template <class V, int rows, int vectors, Edge edge>
[[gnu::flatten]] void short_patch(const tg_kernel*, const tg_tile_args* args) noexcept {
    using T = typename V::Element;
    constexpr int most_steps = 16;
    const RowAccess<V, vectors, edge> access(*args);
    RowPointers<T, rows> a(*args);
    std::uintptr_t b = reinterpret_cast<std::uintptr_t>(args->b);
    const std::size_t step_b = hidden(static_cast<std::size_t>(args->rs_b) * sizeof(T));
    Sums<V, rows, vectors, edge> sums(*args, access);
    const auto add_products = [&](auto l) {
        sums.add_products([&](auto i) { return a.template at<i.value, l.value>(); },
                          reinterpret_cast<const T*>(b), access);
        b = hidden(b + step_b);
    };
    std::int64_t k = args->k;
    if (k > 0)
        while (!steps_until_done(add_products, k, std::make_integer_sequence<int, most_steps>{}))
            a.advance(most_steps);
    sums.store(*hidden(args), access);
}

template <class V, int vectors, int... rows>
consteval Patches<sizeof...(rows)> short_patches_of(std::integer_sequence<int, rows...>) noexcept {
    return {{{&short_patch<V, rows + 1, vectors, Edge::whole>,
              &short_patch<V, rows + 1, vectors, Edge::masked>}...}};
}
template <class V, int vectors, int most_rows>
consteval Patches<most_rows> short_patches() noexcept {
    return short_patches_of<V, vectors>(std::make_integer_sequence<int, most_rows>{});
}

} // namespace tune_gemm::simd
