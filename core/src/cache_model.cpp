#include <tune_gemm/blocked.hpp>
#include <tune_gemm/cache_model.hpp>
#include <tune_gemm/checked.hpp>
#include <tune_gemm/problem.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

namespace tune_gemm {
namespace {

constexpr std::int64_t KiB = 1024, MiB = 1024 * KiB;
constexpr std::int64_t line = 64, page = 4096; // bytes
constexpr std::int64_t least_kc = 256, most_kc = 512, most_mc = 768, most_nc = 4096;

struct Bounds {
    std::int64_t least, most, usual, way; ///< bytes: within which, where not known, and of a way as a rule
};

CacheLevel plausible(const CacheLevel& level, const Bounds& bounds) noexcept {
    const std::int64_t bytes =
        level.bytes > 0 ? std::clamp(level.bytes, bounds.least, bounds.most) : bounds.usual;
    const std::int64_t ways = level.bytes > 0 && level.ways > 0 ? level.ways : bytes / bounds.way;
    return {bytes, std::clamp<std::int64_t>(ways, 2, 32)};
}

std::int64_t way_bytes(const CacheLevel& level) noexcept {
    return level.bytes / level.ways;
}

/// The multiple of `unit` within [least, most] that lies at or below `size`; at least one unit.
std::int64_t clipped(std::int64_t size, std::int64_t least, std::int64_t most, std::int64_t unit) noexcept {
    return std::max<std::int64_t>(std::clamp(size, least, std::max(least, most)) / unit, 1) * unit;
}

/// How large a block is, when `extent` is cut into that many, all about alike.
std::int64_t evenly(std::int64_t extent, std::int64_t blocks, std::int64_t unit) noexcept {
    return round_up(ceil_div(extent, blocks), unit);
}

/// A tile at the size that it is run at.
struct Sized {
    const TileInfo* tile;
    std::int64_t mr, nr, kr;
};

Sized sized(const TileInfo& tile) noexcept {
    constexpr std::int64_t free_side = 8;
    return {&tile, tile.is_free() ? std::min<std::int64_t>(free_side, tile.max_mr) : tile.mr,
            tile.is_free() ? std::min<std::int64_t>(free_side, tile.max_nr) : tile.nr,
            std::max<std::int64_t>(tile.kr, 1)};
}

std::int64_t vector_of(const KernelInfo& kernel) noexcept {
    std::int64_t common = 0;
    for (const TileInfo& tile : kernel.tiles)
        common = std::gcd(common, sized(tile).nr);
    return std::max<std::int64_t>(common, 1);
}

constexpr Packing every_packing[] = {Packing::none, Packing::b, Packing::a, Packing::ab};

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
bool wants_b_packed(const View& view, const Sized& tile, const CacheSizes& caches) {
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
std::int64_t rows_at_hand(const View& view, const Sized& tile) {
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
bool rows_crowd(const View& view, const Sized& tile, const CacheSizes& caches) {
    return view.problem.a.column == 1 && view.problem.a.row * view.element_size % way_bytes(caches.l1) == 0 &&
           std::min(tile.mr, view.problem.m) > caches.l1.ways;
}

/// Rows of A are read along k, which every cache and prefetcher likes. Columns of A are not: each step along
/// k is another line.
bool wants_a_packed(const View& view, const Sized& tile, const CacheSizes& caches) {
    return view.problem.a.column != 1 && ceil_div(view.problem.n, tile.nr) >= uses_of_a &&
           !stays_in_l1(view, caches);
}

/// Whether C is so much smaller than A and B that to copy it twice is nothing.
bool has_small_c(const GemmProblem& p) noexcept {
    return std::min(p.m, p.n) <= few_columns && p.k > 8 * few_columns;
}

/// How many operands are not as they should be; a staged C, which copies all of it, counts for more than
/// both, unless it is small.
int faults_of(const View& view, const AccessPlan& access, const Sized& tile, const CacheSizes& caches) {
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

/// A tile with packing and blocks, and what it costs.
struct Proposal {
    GemmCandidate candidate;
    double cost = 0;
};

/// The packing with the fewest faults; or why the tile can serve with none.
Outcome<Proposal> with_tile(const KernelInfo& kernel, const Sized& tile, const GemmShape& shape,
                            const CacheSizes& caches, std::int64_t vector, std::int64_t limit) {
    const auto size = static_cast<std::int64_t>(element_size(kernel.arithmetic.dtype));
    const GemmProblem user = problem_of(shape);
    GemmCandidate candidate;
    candidate.mr = tile.mr, candidate.nr = tile.nr;
    candidate.loop_order = LoopOrder::n_k_m;
    candidate.microkernel_id = kernel.id;
    std::optional<Refusal> refused;
    std::optional<AccessPlan> chosen;
    int fewest = 0;
    for (const Packing packing : every_packing) {
        GemmCandidate tried = candidate;
        tried.packing = packing;
        const auto access = plan_access(user, tried, *tile.tile);
        if (!access) {
            if (!refused)
                refused = access.refusal();
            continue;
        }
        const View view{access.value().swapped ? swapped(user) : user, size};
        const int faults = faults_of(view, access.value(), tile, caches);
        if (!chosen || faults < fewest) {
            chosen = access.value();
            fewest = faults;
            candidate.packing = packing;
        }
    }
    if (!chosen)
        return *refused;
    const GemmProblem view = chosen->swapped ? swapped(user) : user;
    const bool reuses_b = chosen->packed_b && ceil_div(view.m, tile.mr) >= uses_of_b;
    const BlockSizes blocks = model_blocks({.mr = tile.mr,
                                            .nr = tile.nr,
                                            .kr = tile.kr,
                                            .element_size = size,
                                            .k = shape.k,
                                            .packed_a = chosen->packed_a,
                                            .packed_b = chosen->packed_b,
                                            .reuses_b = reuses_b},
                                           caches);
    candidate.kc = blocks.kc;
    std::int64_t nc = blocks.nc;
    // What comes from afar, and is not copied, is best read along the lines it lies in, a few at a time: rows
    // of B, columns of A.
    const bool is_deep = shape.k > 2 * few_lines;
    const std::int64_t matrices = view.m <= tile.mr && view.b.batch != 0 ? view.batch : 1;
    const bool reads_far_b = is_deep && !chosen->packed_b && !stays_in_l2({view, size}, caches, matrices);
    const bool reads_columns_of_a =
        is_deep && !chosen->packed_a && view.a.column != 1 && !stays_in_l1({view, size}, caches);
    const auto cut_k = [&](std::int64_t deepest) {
        candidate.kc = evenly(shape.k, ceil_div(shape.k, deepest), tile.kr);
    };
    if (reads_far_b) {
        cut_k(rows_at_hand({view, size}, tile));
        nc = most_nc;
    }
    if (reads_columns_of_a)
        cut_k(few_lines);
    // Rows of A that are read once are best read to their ends, while B stays in a quarter of L2.
    const std::int64_t once = chosen->packed_b ? few_columns : tile.nr;
    if (view.n <= once && !chosen->packed_a && view.a.column == 1) {
        const std::int64_t held = caches.l2.bytes / (4 * std::max(few_columns, view.n) * size);
        cut_k(std::max(held, least_kc));
    }
    candidate.mc = evenly(view.m, ceil_div(view.m, blocks.mc), tile.mr);
    candidate.nc = evenly(view.n, ceil_div(view.n, nc), tile.nr);
    shrink(candidate, tile.kr, static_cast<std::size_t>(size), limit);
    const bool is_crowded =
        view.n > few_columns && !chosen->packed_a && rows_crowd({view, size}, tile, caches);
    const double cost = tile_cost(view.m, view.n, tile.mr, tile.nr, vector, chosen->packed_a) *
                        (is_crowded ? cost_of_crowding : 1);
    return Proposal{std::move(candidate), cost};
}

} // namespace

CacheSizes plausible_caches(const CacheSizes& given) noexcept {
    return {plausible(given.l1, {16 * KiB, 128 * KiB, 32 * KiB, 4 * KiB}),
            plausible(given.l2, {128 * KiB, 4 * MiB, 512 * KiB, 64 * KiB}),
            plausible(given.l3, {1 * MiB, 64 * MiB, 4 * MiB, 256 * KiB})};
}

BlockSizes model_blocks(const BlockUse& use, const CacheSizes& given) {
    const CacheSizes caches = plausible_caches(given);
    const std::int64_t half_of_l1 = caches.l1.bytes / 2 / (use.mr * use.element_size);
    const std::int64_t depth =
        clipped(use.reuses_b && !use.packed_a ? half_of_l1 : least_kc, least_kc, most_kc, use.kr);
    // Of k the number of blocks that is nearest: one a little deeper costs less than one more visit of C.
    const std::int64_t kc =
        evenly(use.k, std::max<std::int64_t>((2 * use.k + depth) / (2 * depth), 1), use.kr);
    const std::int64_t strips_of_l2 = caches.l2.bytes / (kc * use.element_size);
    // Each block of A is packed again for every block of B, so of those there are as few as can be. Then it
    // is the block of A that stays in L2, and panels of B, if they are too large for L1 in any case, come
    // from farther away, once. With a short k it is C that takes the time, and is better visited along its
    // rows.
    const bool a_stays = use.packed_a && use.packed_b && use.k >= least_kc &&
                         use.nr * kc * use.element_size > caches.l1.bytes / 2;
    return {.mc = clipped(use.packed_a ? strips_of_l2 / 4 : most_mc, use.mr, most_mc, use.mr),
            .nc = clipped(a_stays ? most_nc : strips_of_l2 / (use.packed_b ? 2 : 4), use.nr, most_nc, use.nr),
            .kc = kc};
}

double tile_cost(std::int64_t m, std::int64_t n, std::int64_t mr, std::int64_t nr, std::int64_t vector,
                 bool packed_a) {
    const auto step = [vector](std::int64_t rows, std::int64_t columns) {
        constexpr double waiting = 8, per_entry = 1.0 / 2, per_vector = 5.0 / 8;
        if (rows == 0 || columns == 0)
            return 0.0;
        const auto r = static_cast<double>(rows), v = static_cast<double>(ceil_div(columns, vector));
        return std::max({r * v, r + 3 * v, waiting}) + per_entry * r + per_vector * v;
    };
    const auto row_of_tiles = [&](std::int64_t rows) {
        return static_cast<double>(n / nr) * step(rows, nr) + step(rows, n % nr);
    };
    const std::int64_t whole = m / mr, rest = m % mr;
    if (packed_a || whole == 0 || rest == 0)
        return static_cast<double>(whole) * row_of_tiles(mr) + row_of_tiles(rest);
    const std::int64_t last_two = mr + rest;
    return static_cast<double>(whole - 1) * row_of_tiles(mr) + row_of_tiles(last_two / 2) +
           row_of_tiles(last_two - last_two / 2);
}

Outcome<GemmCandidate> model_candidate(const KernelInfo& kernel, const GemmShape& shape,
                                       const CacheSizes& given, std::int64_t limit) {
    if (kernel.whole_gemm || kernel.tiles.empty()) {
        GemmCandidate candidate;
        candidate.mc = candidate.nc = candidate.kc = candidate.mr = candidate.nr = 1;
        candidate.packing = Packing::none;
        candidate.loop_order = LoopOrder::own;
        candidate.microkernel_id = kernel.id;
        return candidate;
    }
    if (shape.m < 1 || shape.n < 1 || shape.k < 1)
        return Refusal{"shape",
                       fmt::format("The shape {} has an extent that is not positive.", shape_text(shape))};
    const CacheSizes caches = plausible_caches(given);
    const std::int64_t vector = vector_of(kernel);
    std::optional<Refusal> refused;
    std::optional<Proposal> best;
    for (const TileInfo& tile : kernel.tiles) {
        auto proposal = with_tile(kernel, sized(tile), shape, caches, vector, limit);
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
