// Where the rows of A lie, in few registers.
#pragma once
#include <tune_gemm/abi.h>

#include "unrolled.hpp"

#include <cstddef>
#include <cstdint>

namespace tune_gemm::simd {

/// One column of A (one l), `rows` entries of it at any stride. x86 forms an address as base + index * {1, 2,
/// 4, 8}, so nine rows are reached from one base with four indices (1, 3, 5 and 7 strides) and no arithmetic:
/// row 6 is base + 2 * (3 strides). Further rows get further bases. Distances are unsigned: they may wrap, as
/// strides that are never used (one row, one column) may be anything.
template <class V, int rows>
class RowsOfA {
    using T = typename V::Element;

  public:
    [[gnu::always_inline]] explicit RowsOfA(const tg_tile_args& args) noexcept {
        const std::size_t stride = static_cast<std::size_t>(args.rs_a) * sizeof(T);
        unrolled<bases>([&](auto g) {
            base_[g.value] = reinterpret_cast<std::uintptr_t>(args.a) + g.value * group * stride;
        });
        unrolled<odds>([&](auto o) { odd_[o.value] = hidden((2 * o.value + 1) * stride); });
    }

    /// Row `row` of the present column.
    template <int row>
    [[gnu::always_inline]] const T* at() const noexcept {
        constexpr int within = row % group;
        const std::uintptr_t base = base_[row / group];
        if constexpr (within == 0)
            return reinterpret_cast<const T*>(base);
        else
            return reinterpret_cast<const T*>(base +
                                              odd_[odd_part(within) / 2] * (within / odd_part(within)));
    }

    /// On to the next column, `distance` bytes away.
    [[gnu::always_inline]] void advance(std::size_t distance) noexcept {
        unrolled<bases>([&](auto g) { base_[g.value] = hidden(base_[g.value] + distance); });
    }

  private:
    static constexpr int group = 9;
    static constexpr int bases = (rows + group - 1) / group;
    static constexpr int odds = rows >= 8 ? 4 : rows / 2;

    static constexpr int odd_part(int number) noexcept {
        while (number % 2 == 0)
            number /= 2;
        return number;
    }

    std::uintptr_t base_[bases];
    std::size_t odd_[odds > 0 ? odds : 1];
};

} // namespace tune_gemm::simd
