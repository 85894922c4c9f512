#include <tune_gemm/checked.hpp>
#include <tune_gemm/prepared.hpp>
#include <tune_gemm/validity.hpp>

#include "thread_pool.hpp"
#include "whole_gemm.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <variant>

namespace tune_gemm {
namespace {

/// Bytes of the whole operands that the candidate's mode wants packed ahead.
std::int64_t packed_ahead(const BlockedPlan& plan) {
    const AllocationMode mode = plan.candidate.allocation_mode;
    std::optional<std::int64_t> sum = 0;
    for (const auto& [wanted, operand] :
         {std::pair{prepacks_a(mode), Operand::a}, std::pair{prepacks_b(mode), Operand::b}}) {
        if (wanted && sum)
            sum = checked_add(*sum, packed_bytes(plan, operand));
    }
    return sum.value_or(INT64_MAX);
}

/// `bytes` a thread and `shared` once, against the limit. The slack of aligned panels is declared and does
/// not count.
std::optional<Refusal> judge_demand(std::int64_t bytes, std::int64_t shared, unsigned threads,
                                    std::int64_t limit) {
    const auto all_threads = checked_multiply(bytes, threads);
    const auto demand = all_threads ? checked_add(*all_threads, shared) : std::nullopt;
    if (demand && *demand <= limit)
        return std::nullopt;
    return Refusal{"workspace",
                   fmt::format("The workspace of {} threads takes {} bytes each{}, and the limit "
                               "is {}.",
                               threads, bytes,
                               shared != 0 ? fmt::format(", with {} bytes packed ahead", shared) : "",
                               limit)};
}

} // namespace

struct PreparedGemm::State {
    Resolution resolution;
    std::variant<BlockedPlan, WholeGemm> work;
};

PreparedGemm::PreparedGemm(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Outcome<PreparedGemm> PreparedGemm::make(const GemmProblem& problem, const GemmCandidate& candidate,
                                         std::int64_t limit, const Catalogue& catalogue, unsigned threads) {
    if (threads == 0)
        throw_bad_input("The number of threads is 0; expected at least 1.");
    if (const Validity valid = valid_candidate(candidate, limit, catalogue); !valid)
        return Refusal{valid.field, valid.reason};
    const KernelInfo& kernel = *catalogue.resolve(candidate.microkernel_id).value();
    Resolution resolution{candidate, kernel.arithmetic, {}};
    resolution.candidate.microkernel_id = kernel.id;

    if (kernel.whole_gemm) {
        auto whole = WholeGemm::make(problem, kernel, threads);
        if (!whole)
            return whole.refusal();
        if (auto no = judge_demand(whole.value().workspace_demand(), 0, 1, limit))
            return *no;
        return PreparedGemm(std::make_shared<const State>(
            State{std::move(resolution), std::variant<BlockedPlan, WholeGemm>(std::move(whole.value()))}));
    }
    if ((kernel.flags & TG_SERIAL_ONLY) != 0)
        threads = 1; // its tile must not be entered by two threads at once
    auto plan = plan_blocked(problem, resolution.candidate, kernel, threads);
    if (!plan)
        return plan.refusal();
    const std::int64_t bytes = workspace_bytes(candidate, element_size(plan.value().dtype));
    if (auto no = judge_demand(bytes, packed_ahead(plan.value()), threads, limit))
        return *no;
    pool::reserve(plan.value().division.threads - 1);
    resolution.access = plan.value().access;
    return PreparedGemm(std::make_shared<const State>(State{std::move(resolution), std::move(plan.value())}));
}

const Resolution& PreparedGemm::resolution() const noexcept {
    return state_->resolution;
}

std::int64_t PreparedGemm::workspace_demand() const noexcept {
    if (const auto* whole = std::get_if<WholeGemm>(&state_->work))
        return whole->workspace_demand();
    return tune_gemm::workspace_demand(*std::get_if<BlockedPlan>(&state_->work));
}

void PreparedGemm::run(const BlockedOperands& operands) const {
    if (const auto* whole = std::get_if<WholeGemm>(&state_->work)) {
        if (operands.packed_a != nullptr || operands.packed_b != nullptr)
            throw_bad_input(fmt::format("A packed operand was given to {}, which does its own packing.",
                                        candidate_id(state_->resolution.candidate)));
        whole->run(operands.a, operands.b, operands.c, operands.workspace);
    } else {
        run_blocked(*std::get_if<BlockedPlan>(&state_->work), operands);
    }
}

PackedOperand PreparedGemm::prepack(Operand operand, const void* data) const {
    const auto* plan = std::get_if<BlockedPlan>(&state_->work);
    if (plan == nullptr)
        throw_bad_input(fmt::format("{} does its own packing; no operand can be packed ahead for it.",
                                    candidate_id(state_->resolution.candidate)));
    return tune_gemm::prepack(*plan, operand, data);
}

} // namespace tune_gemm
