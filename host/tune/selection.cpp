#include "tune/selection.hpp"

#include <tune_gemm/blocked.hpp>
#include <tune_gemm/checked.hpp>
#include <tune_gemm/problem.hpp>
#include <tune_gemm/validity.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tune_gemm::host {
namespace {

/// What the machine will do: the same text for candidates that cannot differ but in name.
std::string loop_text(const GemmCandidate& candidate, const KernelInfo& kernel) {
    GemmCandidate anonymous = candidate;
    anonymous.microkernel_id = "loop";
    return (kernel.loop_identity.empty() ? kernel.id : kernel.loop_identity) + " " + candidate_id(anonymous);
}

void count_dropped(std::vector<Dropped>& dropped, const GemmCandidate& candidate, const Validity& validity) {
    const auto same = std::find_if(dropped.begin(), dropped.end(),
                                   [&](const Dropped& d) { return d.field == validity.field; });
    if (same != dropped.end())
        ++same->count;
    else
        dropped.push_back({validity.field, 1, candidate_id(candidate), validity.reason});
}

/// The extent with two blocks, the last as it was.
std::int64_t two_blocks(std::int64_t extent, std::int64_t block) noexcept {
    const std::int64_t left_out = ceil_div(extent, block) - 2;
    return left_out > 0 ? extent - left_out * block : extent;
}

} // namespace

GemmShape abridged_shape(const GemmShape& shape, const GemmCandidate& candidate, const KernelInfo& kernel) {
    const TileInfo* tile = kernel.find_tile(candidate.mr, candidate.nr);
    if (kernel.whole_gemm || tile == nullptr)
        return shape;
    const auto access = plan_access(problem_of(shape), candidate, *tile);
    if (!access)
        return shape;
    GemmShape abridged = shape;
    const bool swapped = access.value().swapped;
    abridged.m = two_blocks(shape.m, swapped ? candidate.nc : candidate.mc);
    abridged.n = two_blocks(shape.n, swapped ? candidate.mc : candidate.nc);
    abridged.k = two_blocks(shape.k, candidate.kc);
    abridged.batch = std::min<std::int64_t>(shape.batch, 2);
    return abridged;
}

std::vector<GemmShape> shapes_to_validate(const Distinct& distinct, const GemmShape& shape) {
    std::vector<GemmShape> shapes = validation_shapes(distinct.abridged);
    shapes.front() = shape;
    return shapes;
}

Selection select_candidates(std::span<const GemmCandidate> candidates, const GemmShape& shape,
                            std::int64_t limit, const Catalogue& catalogue) {
    Selection selection;
    selection.asked = static_cast<std::int64_t>(candidates.size());
    std::map<std::string, std::size_t> groups;
    for (const GemmCandidate& candidate : candidates) {
        if (const Validity validity = candidate_valid_for_shape(candidate, shape, limit, catalogue);
            !validity) {
            count_dropped(selection.dropped, candidate, validity);
            continue;
        }
        ++selection.valid;
        const KernelInfo& kernel = *catalogue.resolve(candidate.microkernel_id).value();
        const auto [group, is_new] =
            groups.try_emplace(loop_text(candidate, kernel), selection.distinct.size());
        if (is_new) {
            Distinct distinct;
            distinct.candidate = candidate;
            distinct.candidate.microkernel_id = kernel.id;
            distinct.id = candidate_id(distinct.candidate);
            distinct.arithmetic = kernel.arithmetic;
            distinct.workspace_bytes = workspace_bytes(candidate, element_size(kernel.arithmetic.dtype));
            distinct.abridged = abridged_shape(shape, distinct.candidate, kernel);
            selection.distinct.push_back(std::move(distinct));
        }
        auto& asked = selection.distinct[group->second].asked;
        const std::string id = candidate_id(candidate);
        if (std::find(asked.begin(), asked.end(), id) == asked.end())
            asked.push_back(id);
    }
    std::stable_sort(selection.dropped.begin(), selection.dropped.end(),
                     [](const Dropped& x, const Dropped& y) { return x.count > y.count; });
    return selection;
}

std::string dropped_text(const Selection& selection) {
    if (selection.dropped.empty())
        return {};
    std::string text =
        fmt::format("{} of {} candidates are not valid", selection.asked - selection.valid, selection.asked);
    const char* separator = ": ";
    for (const Dropped& dropped : selection.dropped) {
        text += fmt::format("{}{} {} (first {}: {})", separator, dropped.field, dropped.count,
                            dropped.example, dropped.reason);
        separator = "; ";
    }
    return text;
}

void require_one_timing_scope(std::span<const GemmCandidate> candidates) {
    for (const GemmCandidate& candidate : candidates)
        if (candidate.timing_scope != candidates.front().timing_scope)
            throw_bad_input(fmt::format("timing_scope: {} is timed by {}, but {} by {}. Times of different "
                                        "scopes are never ranked against each "
                                        "other; tune them in separate runs",
                                        candidate_id(candidates.front()),
                                        to_text(candidates.front().timing_scope), candidate_id(candidate),
                                        to_text(candidate.timing_scope)));
}

} // namespace tune_gemm::host
