#include <tune_gemm/blocked.hpp>
#include <tune_gemm/cache_model.hpp>
#include <tune_gemm/checked.hpp>
#include <tune_gemm/problem.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <vector>

namespace tune_gemm {
namespace {

constexpr std::int64_t KiB = 1024, MiB = 1024 * KiB;
constexpr std::int64_t least_kc = 256, most_kc = 512, most_mc = 768, most_nc = 4096;

struct Bounds {
    std::int64_t least, most;
    CacheLevel usual;
};

CacheLevel plausible(const CacheLevel& level, const Bounds& bounds) noexcept {
    return {level.bytes > 0 ? std::clamp(level.bytes, bounds.least, bounds.most) : bounds.usual.bytes,
            level.ways > 0 ? std::clamp<std::int64_t>(level.ways, 2, 32) : bounds.usual.ways};
}

std::int64_t way_bytes(const CacheLevel& level) noexcept {
    return level.bytes / level.ways;
}

/// The multiple of `unit` within [least, most] that lies at or below `size`; at least one unit.
std::int64_t bounded(std::int64_t size, std::int64_t least, std::int64_t most, std::int64_t unit) noexcept {
    return std::max<std::int64_t>(std::clamp(size, least, std::max(least, most)) / unit, 1) * unit;
}

/// How large a block is, when `extent` is cut into as few as `block` allows, all about alike.
std::int64_t evenly(std::int64_t extent, std::int64_t block, std::int64_t unit) noexcept {
    const std::int64_t blocks = ceil_div(std::max<std::int64_t>(extent, 1), block);
    return std::min(block, round_up(ceil_div(std::max<std::int64_t>(extent, 1), blocks), unit));
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

Packing packing_of(bool a, bool b) noexcept {
    return a && b ? Packing::ab : a ? Packing::a : b ? Packing::b : Packing::none;
}

/// What is wanted, then with as little more packed as the tile may need, then with less.
std::vector<Packing> packings_from(Packing wanted) {
    const auto also = [wanted](bool a, bool b) {
        return packing_of(a || packs_a(wanted), b || packs_b(wanted));
    };
    return {wanted, also(false, true), also(true, false), Packing::ab, Packing::b, Packing::a, Packing::none};
}

Packing wanted_packing(const GemmShape& shape, const Sized& tile, std::int64_t element_size,
                       const CacheSizes& caches) {
    const double bytes = static_cast<double>(element_size) * static_cast<double>(shape.k) *
                         (static_cast<double>(shape.m) + static_cast<double>(shape.n));
    if (bytes <= 4 * static_cast<double>(caches.l2.bytes))
        return Packing::none;
    // Each element of A is used once a tile along n, each of B once a tile along m.
    constexpr std::int64_t enough = 4;
    return packing_of(ceil_div(shape.n, tile.nr) >= enough, ceil_div(shape.m, tile.mr) >= enough);
}

/// Makes blocks smaller until the workspace is within the limit or none can shrink any more.
void shrink(GemmCandidate& candidate, std::int64_t kr, std::size_t element_size, std::int64_t limit) {
    const std::array<std::pair<std::int64_t*, std::int64_t>, 3> sizes{
        {{&candidate.nc, candidate.nr}, {&candidate.mc, candidate.mr}, {&candidate.kc, kr}}};
    for (const auto& [size, unit] : sizes)
        while (workspace_bytes(candidate, element_size) > limit && *size > unit)
            *size = std::max<std::int64_t>(*size * 7 / 8 / unit, 1) * unit;
}

/// The tile with blocks of the model, operands packed as it is best or, where the tile does not take that, as
/// it can be; or why not.
Outcome<GemmCandidate> with_tile(const KernelInfo& kernel, const Sized& tile, const GemmShape& shape,
                                 const CacheSizes& caches, std::int64_t limit) {
    const auto size = static_cast<std::int64_t>(element_size(kernel.arithmetic.dtype));
    const BlockSizes blocks = model_blocks(tile.mr, tile.nr, tile.kr, size, caches);
    GemmCandidate candidate;
    candidate.mc = blocks.mc, candidate.nc = blocks.nc, candidate.kc = blocks.kc;
    candidate.mr = tile.mr, candidate.nr = tile.nr;
    candidate.loop_order = LoopOrder::n_k_m;
    candidate.microkernel_id = kernel.id;
    std::optional<Refusal> refused;
    for (const Packing packing : packings_from(wanted_packing(shape, tile, size, caches))) {
        candidate.packing = packing;
        const auto access = plan_access(problem_of(shape), candidate, *tile.tile);
        if (!access) {
            if (!refused)
                refused = access.refusal();
            continue;
        }
        const bool swapped = access.value().swapped; // then the kernel's m is the user's n
        candidate.mc = evenly(swapped ? shape.n : shape.m, blocks.mc, tile.mr);
        candidate.nc = evenly(swapped ? shape.m : shape.n, blocks.nc, tile.nr);
        candidate.kc = evenly(shape.k, blocks.kc, tile.kr);
        shrink(candidate, tile.kr, static_cast<std::size_t>(size), limit);
        return candidate;
    }
    return *refused;
}

} // namespace

CacheSizes plausible_caches(const CacheSizes& given) noexcept {
    return {plausible(given.l1, {16 * KiB, 128 * KiB, {32 * KiB, 8}}),
            plausible(given.l2, {128 * KiB, 4 * MiB, {512 * KiB, 8}}),
            plausible(given.l3, {1 * MiB, 64 * MiB, {4 * MiB, 16}})};
}

BlockSizes model_blocks(std::int64_t mr, std::int64_t nr, std::int64_t kr, std::int64_t element_size,
                        const CacheSizes& given) {
    const CacheSizes caches = plausible_caches(given);
    const std::int64_t way1 = way_bytes(caches.l1), way2 = way_bytes(caches.l2), way3 = way_bytes(caches.l3);
    const std::int64_t ways_a = std::max<std::int64_t>((caches.l1.ways - 1) * mr / (mr + nr), 1);
    const std::int64_t kc = bounded(ways_a * way1 / (mr * element_size), least_kc, most_kc, kr);
    const std::int64_t depth = kc * element_size; // bytes of a row of A's block, of a column of B's panel
    const std::int64_t ways_b = ceil_div(nr * depth, way2);
    const std::int64_t mc = bounded((caches.l2.ways - 1 - ways_b) * way2 / depth, mr, most_mc, mr);
    const std::int64_t ways_c = ceil_div(mc * depth, way3);
    const std::int64_t nc = bounded((caches.l3.ways - 1 - ways_c) * way3 / depth, nr, most_nc, nr);
    return {mc, nc, kc};
}

double tile_cost(std::int64_t m, std::int64_t n, std::int64_t mr, std::int64_t nr, std::int64_t vector) {
    const auto step = [vector](std::int64_t rows, std::int64_t columns) {
        constexpr double waiting = 8, per_load = 1.0 / 16;
        if (rows == 0 || columns == 0)
            return 0.0;
        const auto r = static_cast<double>(rows), v = static_cast<double>(ceil_div(columns, vector));
        return std::max({r * v, r + v, waiting}) + per_load * (r + v);
    };
    const auto whole_m = static_cast<double>(m / mr), whole_n = static_cast<double>(n / nr);
    return whole_m * (whole_n * step(mr, nr) + step(mr, n % nr)) + whole_n * step(m % mr, nr) +
           step(m % mr, n % nr);
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
    const CacheSizes caches = plausible_caches(given);
    const std::int64_t vector = vector_of(kernel);
    std::optional<Refusal> refused;
    std::optional<GemmCandidate> best;
    double least = 0;
    for (const TileInfo& info : kernel.tiles) {
        const Sized tile = sized(info);
        const auto candidate = with_tile(kernel, tile, shape, caches, limit);
        if (!candidate) {
            if (!refused)
                refused = candidate.refusal();
            continue;
        }
        const auto access = plan_access(problem_of(shape), candidate.value(), info);
        const bool swapped = access && access.value().swapped;
        const double cost =
            tile_cost(swapped ? shape.n : shape.m, swapped ? shape.m : shape.n, tile.mr, tile.nr, vector);
        if (!best || cost < least) {
            best = candidate.value();
            least = cost;
        }
    }
    if (!best)
        return *refused;
    return *best;
}

} // namespace tune_gemm
