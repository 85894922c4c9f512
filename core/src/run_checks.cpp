#include "run_checks.hpp"

#include "division.hpp"

#include <tune_gemm/checked.hpp>

#include <fmt/format.h>

#include <bit>
#include <utility>

namespace tune_gemm {
namespace {

/// The first field in which a packed operand differs from what the plan needs.
void check_packed(const BlockedPlan& plan, Operand operand, const PackedOperand& given) {
    const char* name = operand == Operand::a ? "a" : "b";
    const bool left = (operand == Operand::a) != plan.access.swapped;
    if (!(left ? plan.access.packed_a : plan.access.packed_b))
        throw_bad_input(fmt::format(
            "A packed operand {} was given, but {} takes it in place. Use a packing that packs it.", name,
            candidate_id(plan.candidate)));
    const PackedOperand wanted = packed_description(plan, operand);
    const auto bits = [](double x) { return std::bit_cast<std::int64_t>(x); };
    if (given.operand != wanted.operand)
        throw_bad_input(fmt::format("The packed operand {} was made from the other operand.", name));
    if (given.dtype != wanted.dtype)
        throw_bad_input(fmt::format("The packed operand {} holds {}; this product needs {}.", name,
                                    dtype_text(given.dtype), dtype_text(wanted.dtype)));
    const struct {
        const char* field;
        std::int64_t given, wanted;
    } fields[] = {
        {"strips", given.strips, wanted.strips},
        {"depth", given.depth, wanted.depth},
        {"batch", given.batch, wanted.batch},
        {"strip block", given.strip_block, wanted.strip_block},
        {"depth block", given.depth_block, wanted.depth_block},
        {"panel width", given.panel.width, wanted.panel.width},
        {"panel kr", given.panel.kr, wanted.panel.kr},
        {"panel narrow_last", given.panel.narrow_last, wanted.panel.narrow_last},
        {"alignment", given.align, wanted.align},
    };
    for (const auto& f : fields) {
        if (f.given != f.wanted)
            throw_bad_input(
                fmt::format("The packed operand {} was made with {} {}; this product needs {}. Pack it for "
                            "this product.",
                            name, f.field, f.given, f.wanted));
    }
    if (bits(given.scale) != bits(wanted.scale))
        throw_bad_input(
            fmt::format("The packed operand {} was scaled by {}; this product needs {}. Pack it for this "
                        "product.",
                        name, given.scale, wanted.scale));
    const std::int64_t bytes = wanted.elements() * static_cast<std::int64_t>(element_size(plan.dtype));
    if (static_cast<std::int64_t>(given.data.bytes().size()) < bytes)
        throw_bad_input(fmt::format("The packed operand {} holds {} bytes; this product needs {}.", name,
                                    given.data.bytes().size(), bytes));
}

std::byte* align_up(std::byte* address, std::int64_t alignment) noexcept {
    const auto past = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(address) %
                                                static_cast<std::uintptr_t>(alignment));
    return past == 0 ? address : address + (alignment - past);
}

} // namespace

void check_operands(const BlockedPlan& plan, const BlockedOperands& given) {
    const GemmProblem& problem = plan.problem;
    const bool does_nothing = problem.m == 0 || problem.n == 0 || problem.batch == 0;
    const bool reads = !does_nothing && reads_inputs(problem);
    if (reads) {
        if (given.packed_a != nullptr)
            check_packed(plan, Operand::a, *given.packed_a);
        if (given.packed_b != nullptr)
            check_packed(plan, Operand::b, *given.packed_b);
    }
    const struct {
        const char* name;
        bool missing;
    } operands[] = {{"a", reads && given.a == nullptr && given.packed_a == nullptr},
                    {"b", reads && given.b == nullptr && given.packed_b == nullptr},
                    {"c", !does_nothing && given.c == nullptr}};
    for (const auto& operand : operands) {
        if (operand.missing)
            throw_bad_input(fmt::format("Operand {} is null; expected {} x {} x {} matrices in memory.",
                                        operand.name, problem.m, problem.n, problem.k));
    }
    const std::int64_t demand = workspace_demand(plan);
    if (static_cast<std::int64_t>(given.workspace.size()) < demand)
        throw_bad_input(fmt::format("The workspace has {} bytes; {} needs {}.", given.workspace.size(),
                                    candidate_id(plan.candidate), demand));
    if (reinterpret_cast<std::uintptr_t>(given.workspace.data()) % element_size(plan.dtype) != 0)
        throw_bad_input(fmt::format("The workspace at {} is not aligned to its elements of {} bytes.",
                                    fmt::ptr(given.workspace.data()), element_size(plan.dtype)));
}

WorkspaceParts divide_workspace(const BlockedPlan& plan, std::span<std::byte> workspace,
                                unsigned member) noexcept {
    // First all packed blocks, of A a thread, of B one or one a thread, each with room to align it; then the
    // stages.
    const GemmCandidate& c = plan.candidate;
    const std::int64_t element = static_cast<std::int64_t>(element_size(plan.dtype));
    const std::int64_t members = plan.division.threads, own = member;
    const std::int64_t room = plan.align_packed > element ? plan.align_packed : 0;
    const std::int64_t bytes_a = element * c.mc * c.kc + room, bytes_b = element * c.kc * c.nc + room;
    const std::int64_t of_b = plan.division.shares_b ? 0 : own;
    std::byte* const blocks_b = workspace.data() + members * bytes_a;
    std::byte* const stages = blocks_b + packed_blocks_of_b(plan) * bytes_b;
    return {align_up(workspace.data() + own * bytes_a, plan.align_packed),
            align_up(blocks_b + of_b * bytes_b, plan.align_packed), stages + own * (element * c.mc * c.nc)};
}

} // namespace tune_gemm
