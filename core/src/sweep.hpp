// The innermost loops: the tile called on every mr x nr piece of a block.
#pragma once
#include <tune_gemm/blocked.hpp>

#include "block_of_c.hpp"
#include "block_side.hpp"

#include <algorithm>
#include <cstdint>

namespace tune_gemm {

/// Tells the kernel that this thread is going to run tiles, and that it has.
class OnThread {
  public:
    explicit OnThread(const BlockedPlan& plan) : plan_(plan) {
        if (plan_.enter != nullptr)
            plan_.enter(plan_.kernel);
    }
    ~OnThread() {
        if (plan_.leave != nullptr)
            plan_.leave(plan_.kernel);
    }
    OnThread(const OnThread&) = delete;
    OnThread& operator=(const OnThread&) = delete;

  private:
    const BlockedPlan& plan_;
};

/// How many of the strips that are left the next tile of `width` takes. Where rows of A are left over and A
/// lies in place, the last two tiles share them: 128 rows are 20 times 6 and twice 4, not 21 times 6 and 2,
/// for a tile of two rows waits for its sums and reads as much of B as one of six.
inline std::int64_t next_strips(std::int64_t left, std::int64_t width, bool shares) noexcept {
    return shares && left > width && left < 2 * width ? left - left / 2 : std::min(left, width);
}

/// One of the tiles that a side of a block is cut into: rows of A or columns of B.
template <class T>
struct Strips {
    std::int64_t begin, length;
    const T* operand;
};

/// One side of a block, tile by tile. Nothing here divides: small products would feel it.
template <class T>
class Cut {
  public:
    static Cut rows(const BlockedPlan& plan, const Walk<T>& a, std::int64_t count) noexcept {
        const bool in_place = !plan.access.packed_a;
        return {a, count, plan.candidate.mr, in_place, in_place ? plan.problem.a.row : 0};
    }
    static Cut columns(const BlockedPlan& plan, const Walk<T>& b, std::int64_t count) noexcept {
        return {b, count, plan.candidate.nr, false, 0};
    }

    Strips<T> first() const noexcept { return {0, length_of(count_), walk_.first}; }
    Strips<T> after(const Strips<T>& tile) const noexcept {
        const std::int64_t begin = tile.begin + tile.length;
        return {begin, length_of(count_ - begin),
                tile.operand + (shares_ ? tile.length * stride_ : walk_.step)};
    }
    bool holds(const Strips<T>& tile) const noexcept { return tile.begin < count_; }

  private:
    Cut(const Walk<T>& walk, std::int64_t count, std::int64_t width, bool shares,
        std::int64_t stride) noexcept
        : walk_(walk), count_(count), width_(width), stride_(stride), shares_(shares) {}

    std::int64_t length_of(std::int64_t left) const noexcept { return next_strips(left, width_, shares_); }

    Walk<T> walk_;
    std::int64_t count_, width_, stride_;
    bool shares_;
};

/// The tiles of a block, along its rows or along its columns: the panel of the other side stays meanwhile.
template <bool hints, bool along_rows, class T>
inline void sweep_along(const BlockedPlan& plan, tg_tile_args& args, const Walk<T>& a, const Walk<T>& b,
                        const BlockOfC<T>& c) noexcept {
    const auto rows = Cut<T>::rows(plan, a, c.rows), columns = Cut<T>::columns(plan, b, c.columns);
    const Cut<T>&outer = along_rows ? rows : columns, &inner = along_rows ? columns : rows;
    const bool narrows_a = plan.access.packed_a && plan.panel_a.narrow_last;
    const bool narrows_b = plan.access.packed_b && plan.panel_b.narrow_last;
    const tg_tile_run selected = plan.selected[(args.flags & TG_ACCUMULATE) != 0];
    for (Strips<T> stays = outer.first(), next_outer; outer.holds(stays); stays = next_outer) {
        next_outer = outer.after(stays);
        for (Strips<T> goes = inner.first(), next_inner; inner.holds(goes); goes = next_inner) {
            next_inner = inner.after(goes);
            const Strips<T>&i = along_rows ? stays : goes, &j = along_rows ? goes : stays;
            args.m = i.length, args.a = i.operand;
            args.n = j.length, args.b = j.operand;
            args.c = &c(i.begin, j.begin);
            if (narrows_a)
                args.cs_a = i.length;
            if (narrows_b)
                args.rs_b = j.length;
            if constexpr (hints) {
                const bool turns = !inner.holds(next_inner), is_last = turns && !outer.holds(next_outer);
                const Strips<T> next_stays = turns ? next_outer : stays,
                                next_goes = turns ? inner.first() : next_inner;
                const Strips<T>&next_i = along_rows ? next_stays : next_goes,
                      &next_j = along_rows ? next_goes : next_stays;
                args.next_a = is_last ? nullptr : next_i.operand;
                args.next_b = is_last ? nullptr : next_j.operand;
                args.next_c = is_last ? nullptr : &c(next_i.begin, next_j.begin);
            }
            const bool is_typical = args.m == plan.typical.m && args.n == plan.typical.n;
            (is_typical ? selected : plan.run)(plan.kernel, &args);
        }
    }
}

/// Whether the second cache of today's processors holds a block of B beside what passes by.
template <class T>
bool b_is_near(std::int64_t columns, std::int64_t depth) noexcept {
    constexpr std::int64_t near_bytes = 1 << 20;
    return columns * depth * std::int64_t{sizeof(T)} <= near_bytes;
}

/// `args` holds what does not change: flags, k and strides. While the block of B is near, a panel of A stays
/// in the nearest cache and the panels of B go by, so that C is visited along its rows, which are few pages
/// at a time; a larger block of B is read once, its panels staying while those of A go by. With hints, each
/// tile is told where the next one's operands are.
template <bool hints, class T>
inline void sweep(const BlockedPlan& plan, tg_tile_args& args, const Walk<T>& a, const Walk<T>& b,
                  const BlockOfC<T>& c) noexcept {
    if (b_is_near<T>(c.columns, args.k))
        sweep_along<hints, true>(plan, args, a, b, c);
    else
        sweep_along<hints, false>(plan, args, a, b, c);
}

} // namespace tune_gemm
