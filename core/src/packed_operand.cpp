// Whole operands packed ahead of their use.
#include <tune_gemm/blocked.hpp>
#include <tune_gemm/checked.hpp>

#include "plan_layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tune_gemm {
namespace {

/// Elements of a packed block, the gap up to the next block's start included.
std::int64_t block_elements(const PackedOperand& p, std::int64_t strips, std::int64_t depth) noexcept {
    return round_up(packed_elements(strips, depth, p.panel), p.align);
}

/// Elements of the blocks of the first `strips` strips (a multiple of strip_block, or all of them) at one
/// depth block.
std::int64_t row_elements(const PackedOperand& p, std::int64_t strips, std::int64_t depth) noexcept {
    const std::int64_t whole = strips / p.strip_block, rest = strips % p.strip_block;
    return whole * block_elements(p, p.strip_block, depth) + (rest != 0 ? block_elements(p, rest, depth) : 0);
}

std::int64_t matrix_elements(const PackedOperand& p) noexcept {
    const std::int64_t whole = p.depth / p.depth_block, rest = p.depth % p.depth_block;
    return whole * row_elements(p, p.strips, p.depth_block) +
           (rest != 0 ? row_elements(p, p.strips, rest) : 0);
}

template <class T>
void pack_whole(const T* data, const Strides& strides, std::int64_t strip_stride, std::int64_t depth_stride,
                PackedOperand& p) {
    for (std::int64_t batch = 0; batch < p.batch; ++batch) {
        for (std::int64_t depth = 0; depth < p.depth; depth += p.depth_block) {
            for (std::int64_t strip = 0; strip < p.strips; strip += p.strip_block) {
                pack_block(data + batch * strides.batch + strip * strip_stride + depth * depth_stride,
                           strip_stride, depth_stride, std::min(p.strip_block, p.strips - strip),
                           std::min(p.depth_block, p.depth - depth), static_cast<T>(p.scale), p.panel,
                           p.data.as<T>() + p.block_offset(batch, strip, depth));
            }
        }
    }
}

} // namespace

std::int64_t PackedOperand::elements() const {
    // Every dimension at most doubles by padding and every block gains less than `align`: this bound fits, or
    // the operand is too large for memory many times over.
    std::optional<std::int64_t> bound = checked_multiply(strips + panel.width, depth + panel.kr);
    if (bound)
        bound = checked_multiply(*bound, align);
    if (bound)
        bound = checked_multiply(*bound, std::max<std::int64_t>(batch, 1) * std::int64_t{sizeof(double)});
    if (!bound)
        throw_bad_input(
            fmt::format("A packed operand of {} strips, depth {} and batch {} does not fit 64 bits of bytes; "
                        "expected a smaller shape.",
                        strips, depth, batch));
    return batch * matrix_elements(*this);
}

std::int64_t PackedOperand::block_offset(std::int64_t batch_index, std::int64_t strip,
                                         std::int64_t depth_start) const noexcept {
    return batch_index * matrix_elements(*this) +
           (depth_start / depth_block) * row_elements(*this, strips, depth_block) +
           row_elements(*this, strip, std::min(depth_block, depth - depth_start));
}

PackedOperand packed_description(const BlockedPlan& plan, Operand operand) {
    const bool left = (operand == Operand::a) != plan.access.swapped;
    const std::int64_t element = static_cast<std::int64_t>(element_size(plan.dtype));
    PackedOperand p;
    p.operand = operand;
    p.dtype = plan.dtype;
    p.strips = left ? plan.problem.m : plan.problem.n;
    p.depth = plan.problem.k;
    p.batch = plan.problem.batch;
    p.strip_block = left ? plan.block.m : plan.block.n;
    p.depth_block = plan.block.k;
    p.panel = left ? plan.panel_a : plan.panel_b;
    p.scale = operand == Operand::b ? plan.problem.alpha : 1;
    p.align = std::max<std::int64_t>(plan.align_packed / element, 1);
    return p;
}

std::int64_t packed_bytes(const BlockedPlan& plan, Operand operand) {
    return packed_description(plan, operand).elements() * static_cast<std::int64_t>(element_size(plan.dtype));
}

PackedOperand prepack(const BlockedPlan& plan, Operand operand, const void* data) {
    const bool left = (operand == Operand::a) != plan.access.swapped;
    if (operand == Operand::c || !(left ? plan.access.packed_a : plan.access.packed_b))
        throw_bad_input(
            fmt::format("Operand {} was to be packed ahead, but {} takes it in place. Use a packing that "
                        "packs it.",
                        operand == Operand::a   ? "a"
                        : operand == Operand::b ? "b"
                                                : "c",
                        candidate_id(plan.candidate)));
    PackedOperand p = packed_description(plan, operand);
    const GemmProblem& problem = plan.problem;
    if (problem.alpha == 0 || problem.k == 0 || problem.m == 0 || problem.n == 0 || problem.batch == 0)
        return p;
    p.data = Buffer(packed_bytes(plan, operand), Buffer::Use::prepacked, plan.align_packed);
    const Strides& strides = left ? problem.a : problem.b;
    const std::int64_t strip_stride = left ? strides.row : strides.column;
    const std::int64_t depth_stride = left ? strides.column : strides.row;
    if (plan.dtype == TG_F32)
        pack_whole(static_cast<const float*>(data), strides, strip_stride, depth_stride, p);
    else
        pack_whole(static_cast<const double*>(data), strides, strip_stride, depth_stride, p);
    return p;
}

std::int64_t prepacked_bytes(const GemmCandidate& candidate, const GemmShape& shape,
                             const Catalogue& catalogue) {
    const bool wants_a = prepacks_a(candidate.allocation_mode);
    const bool wants_b = prepacks_b(candidate.allocation_mode);
    if (!wants_a && !wants_b)
        return 0;
    const auto resolved = catalogue.resolve(candidate.microkernel_id);
    if (!resolved)
        throw_bad_input(resolved.refusal().reason);
    const KernelInfo& kernel = *resolved.value();
    const TileInfo* tile = kernel.find_tile(candidate.mr, candidate.nr);
    if (tile == nullptr)
        throw_bad_input(
            fmt::format("Kernel {} has no tile of {}x{}.", kernel.id, candidate.mr, candidate.nr));
    const auto plan = plan_layout(problem_of(shape), candidate, *tile, kernel.arithmetic.dtype);
    if (!plan)
        throw_bad_input(plan.refusal().reason);
    const auto bytes = [&](bool wanted, Operand operand) {
        return wanted ? packed_bytes(plan.value(), operand) : 0;
    };
    const auto sum = checked_add(bytes(wants_a, Operand::a), bytes(wants_b, Operand::b));
    if (!sum)
        throw_bad_input(fmt::format("The packed operands of {} do not fit 64 bits of bytes; expected a "
                                    "smaller shape.",
                                    shape_text(shape)));
    return *sum;
}

} // namespace tune_gemm
