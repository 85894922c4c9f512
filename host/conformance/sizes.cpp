#include "conformance/sizes.hpp"

#include <algorithm>

namespace tune_gemm::host {
namespace {

/// The values between 1 and most, in order, each once.
std::vector<std::int64_t> within(std::vector<std::int64_t> values, std::int64_t most) {
    std::erase_if(values, [&](std::int64_t value) { return value < 1 || value > most; });
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

std::vector<std::int64_t> every(std::int64_t most) {
    std::vector<std::int64_t> values;
    for (std::int64_t value = 1; value <= most; ++value)
        values.push_back(value);
    return values;
}

/// Where hidden unrolling by 2, 4, 8, .. would show.
std::vector<std::int64_t> notable(std::int64_t most) {
    std::vector<std::int64_t> values{1, 2, 3, 4, 5, 6, 7, 8, most - 1, most};
    for (std::int64_t power = 8; power <= most; power *= 2)
        values.insert(values.end(), {power - 1, power, power + 1, power + power / 2});
    return within(std::move(values), most);
}

constexpr std::int64_t whole_gemm_most = 65;
constexpr std::int64_t every_up_to =
    32; // tiles of more rows or columns than this are sampled in checks of results

} // namespace

Sizes usual_sizes(const CheckContext& context) {
    if (context.kernel.whole_gemm)
        return {within({1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33, 65}, whole_gemm_most),
                within({1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33, 65}, whole_gemm_most),
                {1, 2, 3, 8, 17}};
    const TileExtents tile = extents_of(*context.tile);
    const auto extents = [&](std::int64_t most) {
        return tile.free || most > every_up_to ? notable(most) : every(most);
    };
    const std::int64_t u = tile.unroll;
    return {extents(tile.mr), extents(tile.nr),
            within({1, 2, 3, u, u + 1, 2 * u + 1, 4 * u + 3, 17}, std::max<std::int64_t>(17, 4 * u + 3))};
}

Sizes edge_sizes(const CheckContext& context) {
    if (context.kernel.whole_gemm)
        return {{1, 3, 16, 17}, {1, 5, 16, 19}, {1, 2, 9}};
    const TileExtents tile = extents_of(*context.tile);
    // Of a free tile small ones: there is no tile to fill, and the largest are costly.
    const std::int64_t mr = tile.free ? std::min<std::int64_t>(tile.mr, 9) : tile.mr;
    const std::int64_t nr = tile.free ? std::min<std::int64_t>(tile.nr, 9) : tile.nr;
    return {within({1, 2, mr - 1, mr}, mr), within({1, 2, nr - 1, nr}, nr),
            within({1, 2, tile.unroll + 1, 2 * tile.unroll + 1}, 2 * tile.unroll + 1)};
}

std::vector<std::int64_t> tail_depths(std::int64_t unroll) {
    std::vector<std::int64_t> depths;
    for (std::int64_t k = 0; k <= std::max<std::int64_t>(4 * unroll + 3, 19); ++k)
        depths.push_back(k);
    return depths;
}

} // namespace tune_gemm::host
