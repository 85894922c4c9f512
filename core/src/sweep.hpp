// The innermost loops: the tile called on every mr x nr piece of a block.
#pragma once
#include <tune_gemm/blocked.hpp>
#include <tune_gemm/checked.hpp>

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

/// `args` holds what does not change: flags, k and strides. A panel of B stays while the panels of A go by.
/// With hints, each tile is told where the next one's operands are.
template <bool hints, class T>
inline void sweep(const BlockedPlan& plan, tg_tile_args& args, const Walk<T>& a, const Walk<T>& b,
                  const BlockOfC<T>& c) noexcept {
    const std::int64_t mr = plan.candidate.mr, nr = plan.candidate.nr;
    const bool narrows_a = plan.access.packed_a && plan.panel_a.narrow_last;
    const bool narrows_b = plan.access.packed_b && plan.panel_b.narrow_last;
    const tg_tile_run selected = plan.selected[(args.flags & TG_ACCUMULATE) != 0];
    const T* panel_b = b.first;
    for (std::int64_t j = 0; j < c.columns; j += nr) {
        const bool last_n = j + nr >= c.columns;
        args.n = std::min(nr, c.columns - j);
        args.b = panel_b;
        if (narrows_b)
            args.rs_b = args.n;
        const T* panel_a = a.first;
        T* entries = &c(0, j);
        for (std::int64_t i = 0; i < c.rows; i += mr) {
            const bool last_m = i + mr >= c.rows;
            args.m = std::min(mr, c.rows - i);
            args.a = panel_a;
            if (narrows_a)
                args.cs_a = args.m;
            args.c = entries;
            panel_a += last_m ? 0 : a.step;
            entries += last_m ? 0 : mr * c.strides.row;
            if constexpr (hints) {
                const bool is_last = last_m && last_n;
                args.next_a = is_last ? nullptr : last_m ? a.first : panel_a;
                args.next_b = is_last ? nullptr : last_m ? panel_b + b.step : panel_b;
                args.next_c = is_last ? nullptr : last_m ? &c(0, j + nr) : entries;
            }
            const bool is_typical = args.m == plan.typical.m && args.n == plan.typical.n;
            (is_typical ? selected : plan.run)(plan.kernel, &args);
        }
        panel_b += last_n ? 0 : b.step;
    }
}

} // namespace tune_gemm
