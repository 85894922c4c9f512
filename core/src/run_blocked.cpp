// A planned product carried out: loops over blocks, packing on demand, and sweeps of the tile.
#include <tune_gemm/blocked.hpp>

#include "block_of_c.hpp"
#include "block_side.hpp"
#include "run_checks.hpp"

#include <algorithm>
#include <array>

namespace tune_gemm {
namespace {

enum Axis { axis_m, axis_n, axis_k };

/// Which loop over blocks is outermost, which in the middle, which innermost.
constexpr std::array<Axis, 3> nesting(LoopOrder order) noexcept {
    if (order == LoopOrder::n_k_m)
        return {axis_n, axis_k, axis_m};
    return {axis_m, axis_n, axis_k};
}

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

template <class T>
class BlockedRun {
  public:
    BlockedRun(const BlockedPlan& plan, const BlockedOperands& operands, const WorkspaceParts& parts)
        : plan_(plan), problem_(plan.problem), candidate_(plan.candidate), c_(static_cast<T*>(operands.c)),
          beta_(static_cast<T>(plan.problem.beta)), left_(left_side<T>(plan, parts.a)),
          right_(right_side<T>(plan, parts.b)),
          stage_(reinterpret_cast<T*>(parts.c), {plan.typical.rs_c, plan.typical.cs_c, 0}) {
        Side<T>& users_a = plan.access.swapped ? right_ : left_;
        users_a.data = static_cast<const T*>(operands.a);
        users_a.prepacked = operands.packed_a;
        Side<T>& users_b = plan.access.swapped ? left_ : right_;
        users_b.data = static_cast<const T*>(operands.b);
        users_b.prepacked = operands.packed_b;
        users_b.scale = static_cast<T>(problem_.alpha);
    }

    void multiply() {
        const OnThread on_thread(plan_);
        const std::int64_t extent[3] = {problem_.m, problem_.n, problem_.k};
        const std::int64_t step[3] = {candidate_.mc, candidate_.nc, candidate_.kc};
        const auto [outer, middle, inner] = nesting(candidate_.loop_order);
        std::int64_t at[3] = {};
        for (std::int64_t batch = 0; batch < problem_.batch; ++batch)
            for (at[outer] = 0; at[outer] < extent[outer]; at[outer] += step[outer])
                for (at[middle] = 0; at[middle] < extent[middle]; at[middle] += step[middle])
                    for (at[inner] = 0; at[inner] < extent[inner]; at[inner] += step[inner])
                        multiply_block(batch, at[axis_m], at[axis_n], at[axis_k]);
        stage_.write_back();
    }

    /// C := beta*C, for products that do not read A and B.
    void scale_only() {
        for (std::int64_t batch = 0; batch < problem_.batch; ++batch)
            scale(block_of_c(batch, 0, 0, problem_.m, problem_.n), beta_);
    }

  private:
    BlockOfC<T> block_of_c(std::int64_t batch, std::int64_t i, std::int64_t j, std::int64_t rows,
                           std::int64_t columns) const {
        const Strides& s = problem_.c;
        return {c_ + batch * s.batch + i * s.row + j * s.column, rows, columns, s};
    }

    void multiply_block(std::int64_t batch, std::int64_t i, std::int64_t j, std::int64_t l) {
        const std::int64_t rows = std::min(candidate_.mc, problem_.m - i);
        const std::int64_t columns = std::min(candidate_.nc, problem_.n - j);
        const std::int64_t depth = std::min(candidate_.kc, problem_.k - l);
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
        sweep(args, left_.block(batch, i, l, rows, depth), right_.block(batch, j, l, columns, depth), c);
    }

    /// Calls the tile on every mr x nr piece of a block. A panel of B stays while the panels of A go by.
    void sweep(tg_tile_args& args, const Walk<T>& a, const Walk<T>& b, const BlockOfC<T>& c) const {
        const std::int64_t mr = candidate_.mr, nr = candidate_.nr;
        const std::int64_t tiles_m = ceil_div(c.rows, mr), tiles_n = ceil_div(c.columns, nr);
        const bool narrows_a = plan_.access.packed_a && plan_.panel_a.narrow_last;
        const bool narrows_b = plan_.access.packed_b && plan_.panel_b.narrow_last;
        const tg_tile_run selected = plan_.selected[(args.flags & TG_ACCUMULATE) != 0];
        for (std::int64_t tj = 0; tj < tiles_n; ++tj) {
            const bool last_n = tj + 1 == tiles_n;
            args.n = std::min(nr, c.columns - tj * nr);
            args.b = b.first + tj * b.step;
            if (narrows_b)
                args.rs_b = args.n;
            for (std::int64_t ti = 0; ti < tiles_m; ++ti) {
                const bool last_m = ti + 1 == tiles_m;
                args.m = std::min(mr, c.rows - ti * mr);
                args.a = a.first + ti * a.step;
                if (narrows_a)
                    args.cs_a = args.m;
                args.c = &c(ti * mr, tj * nr);
                args.next_a = !last_m ? a.first + (ti + 1) * a.step : last_n ? nullptr : a.first;
                args.next_b = !last_m ? args.b : last_n ? nullptr : b.first + (tj + 1) * b.step;
                args.next_c = !last_m ? &c((ti + 1) * mr, tj * nr) : last_n ? nullptr : &c(0, (tj + 1) * nr);
                const bool is_typical = args.m == plan_.typical.m && args.n == plan_.typical.n;
                (is_typical ? selected : plan_.run)(plan_.kernel, &args);
            }
        }
    }

    const BlockedPlan& plan_;
    const GemmProblem& problem_;
    const GemmCandidate& candidate_;
    T* c_;
    T beta_;
    Side<T> left_, right_;
    Stage<T> stage_;
};

template <class T>
void run_typed(const BlockedPlan& plan, const BlockedOperands& operands) {
    BlockedRun<T> run(plan, operands, divide_workspace(plan, operands.workspace));
    if (reads_inputs(plan.problem))
        run.multiply();
    else
        run.scale_only();
}

} // namespace

void run_blocked(const BlockedPlan& plan, const BlockedOperands& operands) {
    check_operands(plan, operands);
    if (plan.problem.m == 0 || plan.problem.n == 0 || plan.problem.batch == 0)
        return;
    if (plan.dtype == TG_F32)
        run_typed<float>(plan, operands);
    else
        run_typed<double>(plan, operands);
}

} // namespace tune_gemm
