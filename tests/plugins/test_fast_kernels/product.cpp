#include "product.hpp"

#include "division.hpp"
#include "subject.hpp"
#include "thread_pool.hpp"

#include <tune_gemm/buffer.hpp>
#include <tune_gemm/prepared.hpp>
#include <tune_gemm/reference.hpp>

#include <fmt/format.h>

namespace tune_gemm::test {
namespace {

std::string text(const Product& p) {
    return fmt::format("{} x {} x {} x {}, lies {} {} {}, alpha {}, beta {}, seed {}, {}, "
                       "{} threads {}{}{}{}",
                       p.m, p.n, p.k, p.batch, static_cast<int>(p.lie_a), static_cast<int>(p.lie_b),
                       static_cast<int>(p.lie_c), p.alpha, p.beta, p.seed, candidate_id(p.candidate),
                       p.threads, p.shares_b, p.in_stripes, p.all_rows, p.all_columns);
}

/// The plan of a prepared product, divided otherwise.
BlockedPlan plan_with(const GemmProblem& problem, const Product& p) {
    BlockedPlan plan =
        plan_blocked(problem, p.candidate, *subject().resolve(p.candidate.microkernel_id).value()).value();
    plan.division = {.threads = p.threads,
                     .shares_b = p.shares_b && can_share_b(plan),
                     .rows = p.all_rows ? plan.problem.m : p.candidate.mr,
                     .columns = p.all_columns ? plan.problem.n : p.candidate.nr};
    if (plan.division.shares_b && p.in_stripes && plan.panel_b.width == p.candidate.nr)
        plan.division.stripes = p.threads;
    pool::reserve(p.threads - 1);
    return plan;
}

} // namespace

template <class T>
Finding compute(const Product& p) {
    Random random(p.seed);
    Strided<T> a(p.m, p.k, p.batch, p.lie_a, random), b(p.k, p.n, p.batch, p.lie_b, random),
        c(p.m, p.n, p.batch, p.lie_c, random);
    GemmProblem problem;
    problem.m = p.m, problem.n = p.n, problem.k = p.k, problem.batch = p.batch;
    problem.a = a.strides(), problem.b = b.strides(), problem.c = c.strides();
    problem.alpha = p.alpha, problem.beta = p.beta;
    const auto prepared = PreparedGemm::make(problem, p.candidate, std::int64_t{1} << 30, subject());
    if (!prepared)
        return {Verdict::refused,
                fmt::format("{}: {} {}", text(p), prepared.refusal().field, prepared.refusal().reason)};

    a.fill(random, p.infinite);
    b.fill(random, p.infinite);
    c.fill(random, p.infinite);
    std::vector<T> expected = c.tight();
    const GemmShape shape{.m = p.m, .n = p.n, .k = p.k, .batch = p.batch};
    gemm_reference_general<T>(shape, p.alpha, a.tight(), b.tight(), p.beta, expected, TG_FUSED);

    BlockedOperands operands;
    operands.a = a.data(), operands.b = b.data(), operands.c = c.data();
    if (p.threads == 1) {
        Buffer workspace(prepared.value().workspace_demand(), Buffer::Use::workspace);
        operands.workspace = workspace.bytes();
        prepared.value().run(operands);
    } else {
        const BlockedPlan plan = plan_with(problem, p);
        Buffer workspace(workspace_demand(plan), Buffer::Use::workspace);
        operands.workspace = workspace.bytes();
        run_blocked(plan, operands);
    }

    const std::vector<T> actual = c.tight();
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (!same_bits(actual[i], expected[i]))
            return {Verdict::wrong,
                    fmt::format("{}: entry {} is {:a}, expected {:a}", text(p), i, actual[i], expected[i])};
    }
    if (c.is_trodden())
        return {Verdict::wrong, text(p) + ": something between the entries of C has changed"};
    return {Verdict::equal, text(p)};
}

template Finding compute<double>(const Product&);
template Finding compute<float>(const Product&);

} // namespace tune_gemm::test
