#include <tune_gemm/cache_model.hpp>
#include <tune_gemm/checked.hpp>

#include <algorithm>

namespace tune_gemm {
namespace {

constexpr std::int64_t KiB = 1024, MiB = 1024 * KiB;
constexpr std::int64_t most_kc = 512, most_mc = 768;

struct Bounds {
    std::int64_t least, most, usual, way; ///< bytes: within which, where not known, and of a way as a rule
};

CacheLevel plausible(const CacheLevel& level, const Bounds& bounds) noexcept {
    const std::int64_t bytes =
        level.bytes > 0 ? std::clamp(level.bytes, bounds.least, bounds.most) : bounds.usual;
    const std::int64_t ways = level.bytes > 0 && level.ways > 0 ? level.ways : bytes / bounds.way;
    return {bytes, std::clamp<std::int64_t>(ways, 2, 32)};
}

/// The multiple of `unit` within [least, most] that lies at or below `size`; at least one unit.
std::int64_t clipped(std::int64_t size, std::int64_t least, std::int64_t most, std::int64_t unit) noexcept {
    return std::max<std::int64_t>(std::clamp(size, least, std::max(least, most)) / unit, 1) * unit;
}

} // namespace

std::int64_t evenly(std::int64_t extent, std::int64_t blocks, std::int64_t unit) noexcept {
    return round_up(ceil_div(extent, blocks), unit);
}

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

} // namespace tune_gemm
