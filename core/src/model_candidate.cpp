#include <tune_gemm/blocked.hpp>
#include <tune_gemm/checked.hpp>
#include <tune_gemm/model_candidate.hpp>
#include <tune_gemm/problem.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

namespace tune_gemm {
namespace {

constexpr std::int64_t line = 64, page = 4096; // bytes

std::int64_t way_bytes(const CacheLevel& level) noexcept {
    return level.bytes / level.ways;
}

std::int64_t kr_of(const SizedTile& tile) noexcept {
    return std::max<std::int64_t>(tile.info->kr, 1);
}

SizedTile usual_size(const TileInfo& tile) noexcept {
    constexpr std::int64_t free_side = 8;
    return {&tile, tile.is_free() ? std::min<std::int64_t>(free_side, tile.max_mr) : tile.mr,
            tile.is_free() ? std::min<std::int64_t>(free_side, tile.max_nr) : tile.nr};
}

std::int64_t vector_of(const KernelInfo& kernel) noexcept {
    std::int64_t common = 0;
    for (const TileInfo& tile : kernel.tiles)
        common = std::gcd(common, usual_size(tile).nr);
    return std::max<std::int64_t>(common, 1);
}

/// The problem as the tile sees it.
struct View {
    GemmProblem problem;
    std::int64_t element_size;

    /// Bytes from a row of B to the next.
    std::int64_t pitch_of_b() const { return problem.b.row * element_size; }
    double bytes(std::int64_t strips) const {
        return static_cast<double>(strips) * static_cast<double>(problem.k) *
               static_cast<double>(element_size);
    }
};

/// In how many tiles each element of a copy has to be read for it to pay. Of B: where its rows are
/// neighbours, or are no whole lines; where L2 does not hold it and they are not, so that a block lies on
/// many pages; and where L2 holds it, but with two pages and more from row to row. Of A, whose columns cost
/// the tile a line a step.
constexpr std::int64_t uses_of_b = 24, uses_of_far_b = 5, uses_of_spread_b = 48, uses_of_a = 4;
/// With so few columns A is what takes the time, and its rows are best read to their ends.
constexpr std::int64_t few_columns = 4;
/// So many streams the prefetchers and the pages that are at hand can follow; a little more does no harm.
constexpr std::int64_t few_lines = 32;
/// So many pages the processor finds without looking their addresses up.
constexpr std::int64_t few_pages = 64;
/// What a tile costs more whose rows of A take each other's places in L1.
constexpr double cost_of_crowding = 1.25;

/// Whether L2 holds a B beside what passes by, or so many of them.
bool stays_in_l2(const View& view, const CacheSizes& caches, std::int64_t matrices = 1) {
    return static_cast<double>(matrices) * view.bytes(view.problem.n) <=
           static_cast<double>(caches.l2.bytes) / 2;
}

/// A B that stays in L2 is read there as fast as a copy of it, but where its rows lie far apart.
bool wants_b_packed(const View& view, const SizedTile& tile, const CacheSizes& caches) {
    const std::int64_t uses = ceil_div(view.problem.m, tile.mr);
    const std::int64_t pitch = view.pitch_of_b();
    if (stays_in_l2(view, caches)) {
        // Most vectors of such rows lie in two lines, and each of them takes the time of two.
        const bool crosses_lines = pitch % line != 0 && view.problem.n >= tile.nr;
        return (crosses_lines && uses >= uses_of_b) || (pitch >= 2 * page && uses >= uses_of_spread_b);
    }
    return uses >= (pitch < page / 2 ? uses_of_b : uses_of_far_b);
}

/// How many rows of a B that comes from afar are best read side by side, to their ends.
std::int64_t rows_at_hand(const View& view, const SizedTile& tile) {
    if (view.problem.m <= tile.mr) // once
        return few_lines;
    return std::clamp(few_pages * page / std::max<std::int64_t>(view.pitch_of_b(), 1), few_lines, least_kc);
}

/// Whether L1 holds A.
bool stays_in_l1(const View& view, const CacheSizes& caches) {
    return view.bytes(view.problem.m) <= static_cast<double>(caches.l1.bytes);
}

/// Whether the rows of a tile of A in place, of one and the same l, fall into one set of L1 and are more than
/// its ways.
bool rows_crowd(const View& view, const SizedTile& tile, const CacheSizes& caches) {
    return view.problem.a.column == 1 && view.problem.a.row * view.element_size % way_bytes(caches.l1) == 0 &&
           std::min(tile.mr, view.problem.m) > caches.l1.ways;
}

/// Rows of A are read along k, which every cache and prefetcher likes. Columns of A are not: each step along
/// k is another line.
bool wants_a_packed(const View& view, const SizedTile& tile, const CacheSizes& caches) {
    return view.problem.a.column != 1 && ceil_div(view.problem.n, tile.nr) >= uses_of_a &&
           !stays_in_l1(view, caches);
}

/// Whether C is so much smaller than A and B that to copy it twice is nothing.
bool has_small_c(const GemmProblem& p) noexcept {
    return std::min(p.m, p.n) <= few_columns && p.k > 8 * few_columns;
}

/// How many operands are not as they should be; a staged C, which copies all of it, counts for more than
/// both, unless it is small.
int faults_of(const View& view, const AccessPlan& access, const SizedTile& tile, const CacheSizes& caches) {
    const int staged = access.staged_c && !has_small_c(view.problem) ? 4 : 0;
    return (access.packed_a != wants_a_packed(view, tile, caches) ? 1 : 0) +
           (access.packed_b != wants_b_packed(view, tile, caches) ? 1 : 0) + staged;
}

/// Makes blocks smaller until the workspace is within the limit or none can shrink any more.
void shrink(GemmCandidate& candidate, std::int64_t kr, std::size_t element_size, std::int64_t limit) {
    const std::array<std::pair<std::int64_t*, std::int64_t>, 3> sizes{
        {{&candidate.nc, candidate.nr}, {&candidate.mc, candidate.mr}, {&candidate.kc, kr}}};
    for (const auto& [size, unit] : sizes)
        while (workspace_bytes(candidate, element_size) > limit && *size > unit)
            *size = std::max<std::int64_t>(*size * 7 / 8 / unit, 1) * unit;
}

/// How a tile reads the operands of a problem.
struct Access {
    Packing packing;
    AccessPlan plan;
    View view;
};

/// Of the packings the one with the fewest faults; or why the tile can serve with none of them.
Outcome<Access> access_of(const SizedTile& tile, const GemmProblem& user, std::int64_t element_size,
                          const CacheSizes& caches, std::span<const Packing> packings) {
    std::optional<Refusal> refused;
    std::optional<Access> chosen;
    int fewest = 0;
    for (const Packing packing : packings) {
        GemmCandidate tried;
        tried.mr = tile.mr, tried.nr = tile.nr;
        tried.loop_order = LoopOrder::n_k_m;
        tried.packing = packing;
        const auto plan = plan_access(user, tried, *tile.info);
        if (!plan) {
            if (!refused)
                refused = plan.refusal();
            continue;
        }
        const View view{plan.value().swapped ? swapped(user) : user, element_size};
        const int faults = faults_of(view, plan.value(), tile, caches);
        if (!chosen || faults < fewest) {
            chosen = Access{packing, plan.value(), view};
            fewest = faults;
        }
    }
    if (!chosen)
        return *refused;
    return *chosen;
}

BlockSizes blocks_of(const SizedTile& tile, const Access& access, const CacheSizes& caches) {
    const View& view = access.view;
    const GemmProblem& problem = view.problem;
    const auto& [packed_a, packed_b] = std::pair(access.plan.packed_a, access.plan.packed_b);
    const std::int64_t kr = kr_of(tile);
    BlockSizes most = model_blocks({.mr = tile.mr,
                                    .nr = tile.nr,
                                    .kr = kr,
                                    .element_size = view.element_size,
                                    .k = problem.k,
                                    .packed_a = packed_a,
                                    .packed_b = packed_b,
                                    .reuses_b = packed_b && ceil_div(problem.m, tile.mr) >= uses_of_b},
                                   caches);
    // What comes from afar, and is not copied, is best read along the lines it lies in, a few at a time: rows
    // of B, columns of A.
    const bool is_deep = problem.k > 2 * few_lines;
    const std::int64_t matrices = problem.m <= tile.mr && problem.b.batch != 0 ? problem.batch : 1;
    const bool reads_far_b = is_deep && !packed_b && !stays_in_l2(view, caches, matrices);
    const bool reads_columns_of_a =
        is_deep && !packed_a && problem.a.column != 1 && !stays_in_l1(view, caches);
    const auto cut_k = [&](std::int64_t deepest) {
        most.kc = evenly(problem.k, ceil_div(problem.k, deepest), kr);
    };
    if (reads_far_b) {
        cut_k(rows_at_hand(view, tile));
        most.nc = most_nc;
    }
    if (reads_columns_of_a)
        cut_k(few_lines);
    // Rows of A that are read once are best read to their ends, while B stays in a quarter of L2.
    const std::int64_t once = packed_b ? few_columns : tile.nr;
    if (problem.n <= once && !packed_a && problem.a.column == 1) {
        const std::int64_t held =
            caches.l2.bytes / (4 * std::max(few_columns, problem.n) * view.element_size);
        cut_k(std::max(held, least_kc));
    }
    return {.mc = evenly(problem.m, ceil_div(problem.m, most.mc), tile.mr),
            .nc = evenly(problem.n, ceil_div(problem.n, most.nc), tile.nr),
            .kc = most.kc};
}

} // namespace

Outcome<Proposal> propose(const KernelInfo& kernel, const SizedTile& tile, const GemmShape& shape,
                          const CacheSizes& given, std::int64_t limit, std::span<const Packing> packings) {
    if (shape.m < 1 || shape.n < 1 || shape.k < 1)
        return Refusal{"shape",
                       fmt::format("The shape {} has an extent that is not positive.", shape_text(shape))};
    const CacheSizes caches = plausible_caches(given);
    const std::size_t size = element_size(kernel.arithmetic.dtype);
    const auto access = access_of(tile, problem_of(shape), static_cast<std::int64_t>(size), caches, packings);
    if (!access)
        return access.refusal();
    const auto& [packing, plan, view] = access.value();
    const BlockSizes blocks = blocks_of(tile, access.value(), caches);
    Proposal proposal;
    GemmCandidate& candidate = proposal.candidate;
    candidate.mc = blocks.mc, candidate.nc = blocks.nc, candidate.kc = blocks.kc;
    candidate.mr = tile.mr, candidate.nr = tile.nr;
    candidate.packing = packing;
    candidate.loop_order = LoopOrder::n_k_m;
    candidate.microkernel_id = kernel.id;
    shrink(candidate, kr_of(tile), size, limit);
    const GemmProblem& problem = view.problem;
    proposal.m = problem.m, proposal.n = problem.n;
    const bool is_crowded = problem.n > few_columns && !plan.packed_a && rows_crowd(view, tile, caches);
    proposal.cost = tile_cost(problem.m, problem.n, tile.mr, tile.nr, vector_of(kernel), plan.packed_a) *
                    (is_crowded ? cost_of_crowding : 1);
    return proposal;
}

GemmCandidate whole_gemm_candidate(const KernelInfo& kernel) {
    GemmCandidate candidate;
    candidate.mc = candidate.nc = candidate.kc = candidate.mr = candidate.nr = 1;
    candidate.packing = Packing::none;
    candidate.loop_order = LoopOrder::own;
    candidate.microkernel_id = kernel.id;
    return candidate;
}

Outcome<GemmCandidate> model_candidate(const KernelInfo& kernel, const GemmShape& shape,
                                       const CacheSizes& caches, std::int64_t limit) {
    if (kernel.whole_gemm || kernel.tiles.empty())
        return whole_gemm_candidate(kernel);
    std::optional<Refusal> refused;
    std::optional<Proposal> best;
    for (const TileInfo& tile : kernel.tiles) {
        auto proposal = propose(kernel, usual_size(tile), shape, caches, limit);
        if (!proposal) {
            if (!refused)
                refused = proposal.refusal();
        } else if (!best || proposal.value().cost < best->cost) {
            best = std::move(proposal.value());
        }
    }
    if (!best)
        return *refused;
    return std::move(best->candidate);
}

} // namespace tune_gemm
