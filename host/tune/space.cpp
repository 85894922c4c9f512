#include "tune/space.hpp"

#include <tune_gemm/checked.hpp>
#include <tune_gemm/grid.hpp>
#include <tune_gemm/model_candidate.hpp>

#include <algorithm>
#include <set>
#include <string>

namespace tune_gemm::host {
namespace {

/// Below this a block is all overhead.
constexpr std::int64_t least_block = 32;

/// The tiles, at the sizes that they are tried at.
std::vector<SizedTile> sized_tiles(const KernelInfo& kernel) {
    std::vector<SizedTile> sized;
    for (const TileInfo& tile : kernel.tiles) {
        if (!tile.is_free()) {
            sized.push_back({&tile, tile.mr, tile.nr});
            continue;
        }
        for (const std::int64_t mr : {8, 4, 2})
            for (const std::int64_t nr : {8, 4, 2})
                if (tile.takes(mr, nr))
                    sized.push_back({&tile, mr, nr});
        // A free tile smaller than all of these is tried at its largest.
        if (sized.empty() || sized.back().info != &tile)
            sized.push_back({&tile, tile.max_mr, tile.max_nr});
    }
    return sized;
}

std::int64_t kr_of(const SizedTile& tile) noexcept {
    return std::max<std::int64_t>(tile.info->kr, 1);
}

/// One extent of the problem and how it is cut.
struct Cut {
    std::int64_t extent, block, unit;

    std::int64_t count() const { return ceil_div(extent, block); }
    std::int64_t whole() const { return round_up(extent, unit); }
    /// The block where there are `blocks`; as it is where that would be too small.
    std::int64_t into(std::int64_t blocks) const {
        const std::int64_t size = evenly(extent, blocks, unit);
        return size < std::min(least_block, whole()) ? block : size;
    }
    std::int64_t finer() const { return into(2 * count()); }
    std::int64_t coarser() const { return into(ceil_div(count(), 2)); }
    /// The blocks nearest to `size`.
    std::int64_t about(std::int64_t size) const { return into(std::max<std::int64_t>(extent / size, 1)); }
};

/// The proposal, and what lies around it.
std::vector<GemmCandidate> around(const Proposal& proposal, const SizedTile& tile, std::int64_t depth) {
    const GemmCandidate& centre = proposal.candidate;
    const Cut m{proposal.m, centre.mc, centre.mr}, n{proposal.n, centre.nc, centre.nr},
        k{depth, centre.kc, kr_of(tile)};
    std::vector<GemmCandidate> candidates{centre};
    const auto add = [&](std::int64_t mc, std::int64_t nc, std::int64_t kc) {
        candidates.push_back(centre);
        candidates.back().mc = mc, candidates.back().nc = nc, candidates.back().kc = kc;
    };
    add(centre.mc, centre.nc, k.finer());
    add(centre.mc, centre.nc, k.coarser());
    add(centre.mc, n.finer(), centre.kc);
    add(centre.mc, n.coarser(), centre.kc);
    add(m.finer(), centre.nc, centre.kc);
    add(m.coarser(), centre.nc, centre.kc);
    add(centre.mc, n.finer(), k.coarser());
    add(centre.mc, n.coarser(), k.finer());
    if (tile.info->mc > 0 && tile.info->nc > 0 && tile.info->kc > 0)
        add(m.about(tile.info->mc), n.about(tile.info->nc), k.about(tile.info->kc));
    // With one block, or along one extent only, both orders are one.
    if ((m.count() > 1) + (n.count() > 1) + (k.count() > 1) > 1) {
        candidates.push_back(centre);
        candidates.back().loop_order = LoopOrder::m_n_k;
    }
    return candidates;
}

/// What a tile would be run with, were it able to serve.
GemmCandidate unable(const KernelInfo& kernel, const SizedTile& tile) {
    GemmCandidate candidate;
    candidate.mc = round_up(least_block, tile.mr), candidate.nc = round_up(least_block, tile.nr);
    candidate.kc = round_up(least_block, kr_of(tile));
    candidate.mr = tile.mr, candidate.nr = tile.nr;
    candidate.microkernel_id = kernel.id;
    return candidate;
}

} // namespace

bool has_default_grid(const KernelInfo& kernel) noexcept {
    return kernel.id == "scalar" || kernel.id == "scalar_f64" || kernel.id == "scalar_f32";
}

std::vector<GemmCandidate> proposals_of(const KernelInfo& kernel, const GemmShape& shape,
                                        const CacheSizes& caches, std::int64_t limit) {
    if (kernel.whole_gemm)
        return {whole_gemm_candidate(kernel)};
    std::vector<Proposal> proposals;
    for (const SizedTile& tile : sized_tiles(kernel))
        if (auto proposal = propose(kernel, tile, shape, caches, limit))
            proposals.push_back(std::move(proposal.value()));
    std::stable_sort(proposals.begin(), proposals.end(),
                     [](const Proposal& x, const Proposal& y) { return x.cost < y.cost; });
    std::vector<GemmCandidate> candidates;
    for (Proposal& proposal : proposals)
        candidates.push_back(std::move(proposal.candidate));
    return candidates;
}

std::vector<GemmCandidate> space_of(const KernelInfo& kernel, const GemmShape& shape,
                                    const CacheSizes& caches, std::int64_t limit) {
    if (has_default_grid(kernel))
        return enumerate_gemm_candidates(kernel.arithmetic.dtype);
    std::vector<GemmCandidate> space;
    std::set<std::string> ids;
    const auto add = [&](const GemmCandidate& candidate) {
        if (ids.insert(candidate_id(candidate)).second)
            space.push_back(candidate);
    };
    for (const GemmCandidate& candidate : proposals_of(kernel, shape, caches, limit))
        add(candidate);
    for (const SizedTile& tile : sized_tiles(kernel)) {
        bool serves = false;
        for (const Packing packing : every_packing) {
            const auto proposal = propose(kernel, tile, shape, caches, limit, {&packing, 1});
            if (!proposal)
                continue;
            serves = true;
            const std::size_t size = element_size(kernel.arithmetic.dtype);
            for (const GemmCandidate& candidate : around(proposal.value(), tile, shape.k))
                if (workspace_bytes(candidate, size) <= limit)
                    add(candidate);
        }
        if (!serves)
            add(unable(kernel, tile));
    }
    return space;
}

} // namespace tune_gemm::host
