// A planned product carried out: loops over blocks, packing on demand, and sweeps of the tile; by one thread
// or by several, each with a part of the batch, the rows and the columns.
#include <tune_gemm/blocked.hpp>

#include "block_of_c.hpp"
#include "block_side.hpp"
#include "run_checks.hpp"
#include "run_direct.hpp"
#include "sweep.hpp"
#include "thread_grid.hpp"
#include "thread_pool.hpp"

#include <algorithm>

namespace tune_gemm {
namespace {

/// The kernel's A, still without data.
template <class T>
Side<T> left_side(const BlockedPlan& plan, std::byte* buffer) {
    const Strides& s = plan.problem.a;
    return {.strip_stride = s.row,
            .depth_stride = s.column,
            .batch_stride = s.batch,
            .tile_width = plan.candidate.mr,
            .panel = plan.panel_a,
            .buffer = plan.access.packed_a ? reinterpret_cast<T*>(buffer) : nullptr};
}

/// The kernel's B.
template <class T>
Side<T> right_side(const BlockedPlan& plan, std::byte* buffer) {
    const Strides& s = plan.problem.b;
    return {.strip_stride = s.column,
            .depth_stride = s.row,
            .batch_stride = s.batch,
            .tile_width = plan.candidate.nr,
            .panel = plan.panel_b,
            .buffer = plan.access.packed_b ? reinterpret_cast<T*>(buffer) : nullptr};
}

/// What one thread of a run does.
struct Part {
    Range batch, m, n;
    Team team; ///< the threads with the same matrices and columns, when they
               ///< share B
};

/// Part `member` of the grid; whole blocks where an operand was packed ahead in blocks.
Part part_of(const BlockedPlan& plan, const ThreadGrid& grid, unsigned member, bool whole_m, bool whole_n) {
    const GemmProblem& p = plan.problem;
    const unsigned m = member % grid.m,
                   column = member / grid.m; // neighbours are a team
    return {.batch = share_of(p.batch, 1, grid.batch, column / grid.n),
            .m = share_of(p.m, whole_m ? plan.block.m : plan.candidate.mr, grid.m, m),
            .n = share_of(p.n, whole_n ? plan.block.n : plan.candidate.nr, grid.n, column % grid.n),
            .team = {}};
}

template <class T>
class PartRun {
  public:
    PartRun(const BlockedPlan& plan, const BlockedOperands& operands, const WorkspaceParts& workspace,
            const Part& part)
        : plan_(plan), problem_(plan.problem), candidate_(plan.candidate), part_(part),
          c_(static_cast<T*>(operands.c)), beta_(static_cast<T>(plan.problem.beta)),
          left_(left_side<T>(plan, workspace.a)), right_(right_side<T>(plan, workspace.b)),
          stage_(reinterpret_cast<T*>(workspace.c), {plan.typical.rs_c, plan.typical.cs_c, 0}) {
        Side<T>& users_a = plan.access.swapped ? right_ : left_;
        users_a.data = static_cast<const T*>(operands.a);
        users_a.prepacked = operands.packed_a;
        Side<T>& users_b = plan.access.swapped ? left_ : right_;
        users_b.data = static_cast<const T*>(operands.b);
        users_b.prepacked = operands.packed_b;
        users_b.scale = static_cast<T>(problem_.alpha);
        right_.team = part.team;
        block_m_ = left_.prepacked != nullptr ? plan.block.m
                                              : even_block(part.m.length(), candidate_.mc, candidate_.mr);
        block_n_ = right_.prepacked != nullptr ? plan.block.n
                                               : even_block(part.n.length(), candidate_.nc, candidate_.nr);
    }

    void multiply() {
        const OnThread on_thread(plan_);
        for (std::int64_t batch = part_.batch.begin; batch < part_.batch.end; ++batch) {
            if (candidate_.loop_order == LoopOrder::n_k_m)
                multiply_by_columns(batch);
            else
                multiply_by_rows(batch);
        }
        stage_.write_back();
    }

    /// C := beta*C, for products that do not read A and B.
    void scale_only() {
        for (std::int64_t batch = 0; batch < problem_.batch; ++batch)
            scale(block_of_c(batch, 0, 0, problem_.m, problem_.n), beta_);
    }

  private:
    std::int64_t columns_at(std::int64_t j) const { return std::min(block_n_, part_.n.end - j); }
    std::int64_t depth_at(std::int64_t l) const { return std::min(plan_.block.k, problem_.k - l); }

    /// n_k_m. B first, and without regard to rows: a team meets there.
    void multiply_by_columns(std::int64_t batch) {
        for (std::int64_t j = part_.n.begin; j < part_.n.end; j += block_n_) {
            for (std::int64_t l = 0; l < problem_.k; l += plan_.block.k) {
                const Walk<T> b = right_.block(batch, j, l, columns_at(j), depth_at(l));
                for (std::int64_t i = part_.m.begin; i < part_.m.end; i += block_m_)
                    multiply_block(batch, i, j, l, b);
            }
        }
    }

    /// m_n_k.
    void multiply_by_rows(std::int64_t batch) {
        for (std::int64_t i = part_.m.begin; i < part_.m.end; i += block_m_)
            for (std::int64_t j = part_.n.begin; j < part_.n.end; j += block_n_)
                for (std::int64_t l = 0; l < problem_.k; l += plan_.block.k)
                    multiply_block(batch, i, j, l, right_.block(batch, j, l, columns_at(j), depth_at(l)));
    }

    BlockOfC<T> block_of_c(std::int64_t batch, std::int64_t i, std::int64_t j, std::int64_t rows,
                           std::int64_t columns) const {
        const Strides& s = problem_.c;
        return {c_ + batch * s.batch + i * s.row + j * s.column, rows, columns, s};
    }

    void multiply_block(std::int64_t batch, std::int64_t i, std::int64_t j, std::int64_t l,
                        const Walk<T>& b) {
        const std::int64_t rows = std::min(block_m_, part_.m.end - i);
        const std::int64_t columns = columns_at(j), depth = depth_at(l);
        // beta belongs to the first visit of a block of C; the later ones add to what is there.
        const T beta = l == 0 ? beta_ : T(1);
        const bool accumulates = beta != T(0);
        BlockOfC<T> c = block_of_c(batch, i, j, rows, columns);
        if (plan_.access.staged_c)
            c = stage_.hold(c, {batch, i, j}, accumulates, beta);
        else if (accumulates)
            scale(c, beta);

        tg_tile_args args = plan_.typical;
        args.flags = accumulates ? TG_ACCUMULATE : 0;
        args.k = depth;
        sweep<true>(plan_, args, left_.block(batch, i, l, rows, depth), b, c);
    }

    const BlockedPlan& plan_;
    const GemmProblem& problem_;
    const GemmCandidate& candidate_;
    Part part_;
    std::int64_t block_m_ = 0, block_n_ = 0;
    T* c_;
    T beta_;
    Side<T> left_, right_;
    Stage<T> stage_;
};

/// A run of several threads: what each has to know.
struct SharedRun {
    const BlockedPlan& plan;
    const BlockedOperands& operands;
    bool whole_m, whole_n; ///< an operand was packed ahead
    bool shares_b;
};

template <class T>
void run_member(const void* context, unsigned member, pool::Barriers& barriers) noexcept {
    const SharedRun& run = *static_cast<const SharedRun*>(context);
    Part part = part_of(run.plan, run.plan.grid, member, run.whole_m, run.whole_n);
    const unsigned team = member / run.plan.grid.m;
    if (run.shares_b)
        part.team = {run.plan.grid.m, member % run.plan.grid.m, &barriers[team]};
    PartRun<T>(run.plan, run.operands, divide_workspace(run.plan, run.operands.workspace, member), part)
        .multiply();
}

template <class T>
void run_typed(const BlockedPlan& plan, const BlockedOperands& operands) {
    const bool swapped = plan.access.swapped;
    if (plan.grid.count() > 1 && reads_inputs(plan.problem)) {
        const bool ahead_m = (swapped ? operands.packed_b : operands.packed_a) != nullptr;
        const bool ahead_n = (swapped ? operands.packed_a : operands.packed_b) != nullptr;
        const SharedRun run{plan, operands, ahead_m, ahead_n, shares_packed_b(plan) && !ahead_n};
        if (pool::run(plan.grid.count(), run_member<T>, &run))
            return;
    }
    PartRun<T> run(plan, operands, divide_workspace(plan, operands.workspace, 0),
                   part_of(plan, {}, 0, false, false));
    if (reads_inputs(plan.problem))
        run.multiply();
    else
        run.scale_only();
}

} // namespace

void run_blocked(const BlockedPlan& plan, const BlockedOperands& operands) {
    if (run_direct(plan, operands))
        return;
    check_operands(plan, operands);
    if (plan.problem.m == 0 || plan.problem.n == 0 || plan.problem.batch == 0)
        return;
    if (plan.dtype == TG_F32)
        run_typed<float>(plan, operands);
    else
        run_typed<double>(plan, operands);
}

} // namespace tune_gemm
