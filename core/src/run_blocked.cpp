// A planned product carried out: loops over blocks, packing on demand, and sweeps of the tile; by one thread
// or by several, which claim parts of it.
#include <tune_gemm/blocked.hpp>

#include "block_of_c.hpp"
#include "block_side.hpp"
#include "claims.hpp"
#include "division.hpp"
#include "run_checks.hpp"
#include "run_direct.hpp"
#include "sweep.hpp"
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

/// What one thread brings to a run: its view of the operands, its buffers, and its stage.
template <class T>
class Member {
  public:
    Member(const BlockedPlan& plan, const BlockedOperands& operands, const WorkspaceParts& workspace)
        : plan_(plan), problem_(plan.problem), candidate_(plan.candidate), c_(static_cast<T*>(operands.c)),
          beta_(static_cast<T>(plan.problem.beta)), left_(left_side<T>(plan, workspace.a)),
          right_(right_side<T>(plan, workspace.b)),
          stage_(reinterpret_cast<T*>(workspace.c), {plan.typical.rs_c, plan.typical.cs_c, 0}) {
        Side<T>& users_a = plan.access.swapped ? right_ : left_;
        users_a.data = static_cast<const T*>(operands.a);
        users_a.prepacked = operands.packed_a;
        Side<T>& users_b = plan.access.swapped ? left_ : right_;
        users_b.data = static_cast<const T*>(operands.b);
        users_b.prepacked = operands.packed_b;
        users_b.scale = static_cast<T>(problem_.alpha);
    }

    Part everything() const { return {{0, problem_.batch}, {0, problem_.m}, {0, problem_.n}}; }

    /// In the candidate's order, packing into buffers of its own.
    void multiply(const Part& part) {
        const std::int64_t block_m = left_.prepacked != nullptr ? plan_.block.m : rows_of_block(part.m);
        const std::int64_t block_n = right_.prepacked != nullptr ? plan_.block.n : columns_of_block(part.n);
        for (std::int64_t batch = part.batch.begin; batch < part.batch.end; ++batch) {
            if (candidate_.loop_order == LoopOrder::n_k_m)
                multiply_by_columns(batch, part, block_m, block_n);
            else
                multiply_by_rows(batch, part, block_m, block_n);
        }
        stage_.write_back();
    }

    /// All that this thread can get.
    void multiply_claimed(Claims& claims) {
        const Units units = units_of(everything());
        claims.work(units.count(), plan_.division.least, [&](Range claimed) {
            while (claimed.length() > 0)
                multiply(units.take(claimed));
        });
    }

    /// n_k_m, with a buffer of B in common. First everyone packs of a block what there is to claim, then
    /// everyone multiplies by it; in stripes, each begins with columns that it has packed.
    void multiply_sharing_b(Claims& claims) {
        const std::int64_t block_n =
            even_block(problem_.n, candidate_.nc * plan_.division.stripes, candidate_.nr);
        for (std::int64_t batch = 0; batch < problem_.batch; ++batch) {
            for (std::int64_t j = 0; j < problem_.n; j += block_n) {
                for (std::int64_t l = 0; l < problem_.k; l += plan_.block.k) {
                    const std::int64_t columns = std::min(block_n, problem_.n - j), depth = depth_at(l);
                    claims.work(ceil_div(columns, right_.panel.width), 1, [&](const Range& panels) {
                        right_.pack_panels(batch, j, l, columns, depth, panels);
                    });
                    claims.wait();
                    multiply_claimed_block(claims, {{batch, batch + 1}, {0, problem_.m}, {j, j + columns}},
                                           l);
                    claims.wait();
                }
            }
        }
    }

    /// C := beta*C, for products that do not read A and B.
    void scale_only() {
        for (std::int64_t batch = 0; batch < problem_.batch; ++batch)
            scale(block_of_c(batch, {0, problem_.m}, {0, problem_.n}), beta_);
    }

  private:
    /// As the plan says; where an operand was packed ahead in blocks, whole blocks.
    Units units_of(const Part& part) const {
        const auto whole = [](std::int64_t size, std::int64_t block, std::int64_t all) {
            return size < all ? std::min(round_up(size, block), all) : all;
        };
        const Division& division = plan_.division;
        return {part, whole(division.rows, left_.prepacked != nullptr ? plan_.block.m : 1, problem_.m),
                whole(division.columns, right_.prepacked != nullptr ? plan_.block.n : 1, problem_.n),
                division.stripes > 1 ? Along::columns : Along::rows};
    }
    std::int64_t rows_of_block(const Range& m) const {
        return even_block(m.length(), candidate_.mc, candidate_.mr);
    }
    std::int64_t columns_of_block(const Range& n) const {
        return even_block(n.length(), candidate_.nc, candidate_.nr);
    }
    std::int64_t depth_at(std::int64_t l) const { return std::min(plan_.block.k, problem_.k - l); }
    static Range block_at(std::int64_t begin, std::int64_t block, const Range& of) {
        return {begin, std::min(begin + block, of.end)};
    }
    Walk<T> block_of_b(std::int64_t batch, const Range& n, std::int64_t l) {
        return right_.block(batch, n.begin, l, n.length(), depth_at(l));
    }

    /// n_k_m.
    void multiply_by_columns(std::int64_t batch, const Part& part, std::int64_t block_m,
                             std::int64_t block_n) {
        for (std::int64_t j = part.n.begin; j < part.n.end; j += block_n) {
            const Range n = block_at(j, block_n, part.n);
            for (std::int64_t l = 0; l < problem_.k; l += plan_.block.k) {
                const Walk<T> b = block_of_b(batch, n, l);
                for (std::int64_t i = part.m.begin; i < part.m.end; i += block_m)
                    multiply_block(batch, block_at(i, block_m, part.m), n, l, b);
            }
        }
    }

    /// m_n_k.
    void multiply_by_rows(std::int64_t batch, const Part& part, std::int64_t block_m, std::int64_t block_n) {
        for (std::int64_t i = part.m.begin; i < part.m.end; i += block_m) {
            for (std::int64_t j = part.n.begin; j < part.n.end; j += block_n) {
                const Range n = block_at(j, block_n, part.n);
                for (std::int64_t l = 0; l < problem_.k; l += plan_.block.k)
                    multiply_block(batch, block_at(i, block_m, part.m), n, l, block_of_b(batch, n, l));
            }
        }
    }

    /// `whole`: all rows, and the columns whose part of B is in the common buffer.
    void multiply_claimed_block(Claims& claims, const Part& whole, std::int64_t l) {
        const Units units = units_of(whole);
        claims.work(units.count(), plan_.division.least, [&](Range claimed) {
            while (claimed.length() > 0) {
                const Part part = units.take(claimed);
                const std::int64_t block_m =
                    left_.prepacked != nullptr ? plan_.block.m : rows_of_block(part.m);
                for (std::int64_t j = part.n.begin; j < part.n.end; j += candidate_.nc) {
                    const Range n = block_at(j, candidate_.nc, part.n);
                    const Walk<T> b = right_.packed_from(j - whole.n.begin, depth_at(l));
                    for (std::int64_t i = part.m.begin; i < part.m.end; i += block_m)
                        multiply_block(part.batch.begin, block_at(i, block_m, part.m), n, l, b);
                }
                stage_.write_back();
            }
        });
    }

    BlockOfC<T> block_of_c(std::int64_t batch, const Range& m, const Range& n) const {
        const Strides& s = problem_.c;
        return {c_ + batch * s.batch + m.begin * s.row + n.begin * s.column, m.length(), n.length(), s};
    }

    void multiply_block(std::int64_t batch, const Range& m, const Range& n, std::int64_t l,
                        const Walk<T>& b) {
        const std::int64_t depth = depth_at(l);
        // beta belongs to the first visit of a block of C; the later ones add to what is there.
        const T beta = l == 0 ? beta_ : T(1);
        const bool accumulates = beta != T(0);
        BlockOfC<T> c = block_of_c(batch, m, n);
        if (plan_.access.staged_c)
            c = stage_.hold(c, {batch, m.begin, n.begin}, accumulates, beta);
        else if (accumulates)
            scale(c, beta);

        tg_tile_args args = plan_.typical;
        args.flags = accumulates ? TG_ACCUMULATE : 0;
        args.k = depth;
        sweep<true>(plan_, args, left_.block(batch, m.begin, l, m.length(), depth), b, c);
    }

    const BlockedPlan& plan_;
    const GemmProblem& problem_;
    const GemmCandidate& candidate_;
    T* c_;
    T beta_;
    Side<T> left_, right_;
    Stage<T> stage_;
};

/// A run of several threads: what each has to know.
struct SharedRun {
    const BlockedPlan& plan;
    const BlockedOperands& operands;
    bool shares_b;
    Heaps& heaps;
};

template <class T>
void run_member(const void* context, unsigned index, int looks) noexcept {
    const SharedRun& run = *static_cast<const SharedRun*>(context);
    Member<T> member(run.plan, run.operands, divide_workspace(run.plan, run.operands.workspace, index));
    Claims claims(run.heaps, run.plan.division.threads, index, looks);
    const OnThread on_thread(run.plan);
    if (run.shares_b)
        member.multiply_sharing_b(claims);
    else
        member.multiply_claimed(claims);
}

template <class T>
void run_typed(const BlockedPlan& plan, const BlockedOperands& operands) {
    if (plan.division.threads > 1 && reads_inputs(plan.problem)) {
        const bool packed_ahead = (plan.access.swapped ? operands.packed_a : operands.packed_b) != nullptr;
        Heaps heaps;
        const SharedRun run{plan, operands, plan.division.shares_b && !packed_ahead, heaps};
        if (pool::run(plan.division.threads, run_member<T>, &run))
            return;
    }
    Member<T> member(plan, operands, divide_workspace(plan, operands.workspace, 0));
    if (reads_inputs(plan.problem)) {
        const OnThread on_thread(plan);
        member.multiply(member.everything());
    } else {
        member.scale_only();
    }
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
