#include "run_direct.hpp"

#include "run_checks.hpp"
#include "sweep.hpp"

#include <cstdint>

namespace tune_gemm {
namespace {

/// Bytes of A, B and C from which it pays to say where the next tile's operands are: less stays in the
/// second cache of today's processors, which is near enough.
constexpr double hints_from = 1 << 20;

template <class T>
void run_direct_typed(const BlockedPlan& plan, const BlockedOperands& operands) noexcept {
    const GemmProblem& p = plan.problem;
    const T* a = static_cast<const T*>(plan.access.swapped ? operands.b : operands.a);
    const T* b = static_cast<const T*>(plan.access.swapped ? operands.a : operands.b);
    T* c = static_cast<T*>(operands.c);
    tg_tile_args args = plan.typical;
    args.flags = p.beta != 0 ? TG_ACCUMULATE : 0;
    const std::int64_t step_a = plan.candidate.mr * p.a.row, step_b = plan.candidate.nr * p.b.column;
    const OnThread on_thread(plan);
    const DirectWay& way = plan.direct;
    if (way.calls == 1) {
        const tg_tile_run run = way.call[0].run;
        for (std::int64_t batch = 0; batch < p.batch; ++batch) {
            args.a = a, args.b = b, args.c = c;
            run(plan.kernel, &args);
            a += p.a.batch, b += p.b.batch, c += p.c.batch;
        }
        return;
    }
    if (way.calls > 1) {
        for (std::int64_t batch = 0; batch < p.batch; ++batch) {
            for (int i = 0; i < way.calls; ++i) {
                const DirectWay::Call& call = way.call[i];
                args.m = call.m, args.n = call.n;
                args.a = a + call.a, args.b = b + call.b, args.c = c + call.c;
                call.run(plan.kernel, &args);
            }
            a += p.a.batch, b += p.b.batch, c += p.c.batch;
        }
        return;
    }
    for (std::int64_t batch = 0; batch < p.batch; ++batch) {
        const Walk<T> walk_a{a + batch * p.a.batch, step_a}, walk_b{b + batch * p.b.batch, step_b};
        const BlockOfC<T> entries{c + batch * p.c.batch, p.m, p.n, p.c};
        if (plan.direct.hints)
            sweep<true>(plan, args, walk_a, walk_b, entries);
        else
            sweep<false>(plan, args, walk_a, walk_b, entries);
    }
}

/// The calls of one matrix, row by row of tiles as in a sweep; none when there are too many, or when a sweep
/// would go along the columns.
void write_down_calls(const BlockedPlan& plan, const tg_tile& tile, DirectWay& way) noexcept {
    const GemmProblem& p = plan.problem;
    if (!(plan.dtype == TG_F32 ? b_is_near<float>(p.n, p.k) : b_is_near<double>(p.n, p.k)))
        return;
    for (std::int64_t i = 0, rows = 0; i < p.m; i += rows) {
        rows = next_strips(p.m - i, plan.candidate.mr, true);
        for (std::int64_t j = 0, columns = 0; j < p.n; j += columns) {
            columns = next_strips(p.n - j, plan.candidate.nr, false);
            if (way.calls == DirectWay::most_calls) {
                way.calls = 0;
                return;
            }
            way.call[way.calls++] = {.run = choose_entry(plan, tile, rows, columns, p.beta != 0),
                                     .m = rows,
                                     .n = columns,
                                     .a = i * p.a.row,
                                     .b = j * p.b.column,
                                     .c = i * p.c.row + j * p.c.column};
        }
    }
}

} // namespace

tg_tile_run choose_entry(const BlockedPlan& plan, const tg_tile& tile, std::int64_t rows,
                         std::int64_t columns, bool accumulate) noexcept {
    if (tile.select == nullptr || rows == 0 || columns == 0 || plan.typical.k == 0)
        return tile.run;
    tg_tile_args args = plan.typical;
    args.m = rows, args.n = columns;
    args.flags = accumulate ? TG_ACCUMULATE : 0;
    const tg_tile_run entry = tile.select(plan.kernel, &args);
    return entry != nullptr ? entry : tile.run;
}

DirectWay direct_way(const BlockedPlan& plan, const tg_tile& tile) noexcept {
    const GemmProblem& p = plan.problem;
    const AccessPlan& access = plan.access;
    const double entries = static_cast<double>(p.m) * static_cast<double>(p.k) +
                           static_cast<double>(p.k) * static_cast<double>(p.n) +
                           static_cast<double>(p.m) * static_cast<double>(p.n);
    DirectWay way;
    way.is_open = !access.packed_a && !access.packed_b && !access.staged_c && plan.division.threads == 1 &&
                  p.m > 0 && p.n > 0 && p.batch > 0 && reads_inputs(p) && (p.beta == 0 || p.beta == 1) &&
                  p.m <= plan.block.m && p.n <= plan.block.n && p.k <= plan.block.k;
    if (way.is_open) {
        way.hints = entries * static_cast<double>(element_size(plan.dtype)) >= hints_from;
        way.demand = workspace_demand(plan);
        write_down_calls(plan, tile, way);
    }
    return way;
}

bool run_direct(const BlockedPlan& plan, const BlockedOperands& operands) noexcept {
    const bool is_sound =
        plan.direct.is_open && operands.a != nullptr && operands.b != nullptr && operands.c != nullptr &&
        operands.packed_a == nullptr && operands.packed_b == nullptr &&
        static_cast<std::int64_t>(operands.workspace.size()) >= plan.direct.demand &&
        reinterpret_cast<std::uintptr_t>(operands.workspace.data()) % element_size(plan.dtype) == 0;
    if (!is_sound)
        return false;
    if (plan.dtype == TG_F32)
        run_direct_typed<float>(plan, operands);
    else
        run_direct_typed<double>(plan, operands);
    return true;
}

} // namespace tune_gemm
