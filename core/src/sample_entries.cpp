#include "sample_entries.hpp"

#include <algorithm>
#include <random>
#include <utility>

namespace tune_gemm {
namespace {

/// Tile and cache block along one extent.
struct Grain {
    std::int64_t tile, block;
    bool operator==(const Grain&) const = default;
};

class Sampler {
  public:
    Sampler(const GemmShape& shape, std::uint64_t seed, std::size_t most)
        : shape_(shape), random_(seed), most_(most) {}

    void add_corners() {
        for (const std::int64_t batch : {std::int64_t{0}, shape_.batch - 1})
            for (const std::int64_t i : {std::int64_t{0}, shape_.m - 1})
                for (const std::int64_t j : {std::int64_t{0}, shape_.n - 1})
                    needed_.push_back({batch, i, j});
        corners_ = needed_.size();
    }

    void add_residues(const Grain& m, const Grain& n) {
        const std::int64_t rows = std::min(m.tile, shape_.m), columns = std::min(n.tile, shape_.n);
        const auto most = static_cast<std::int64_t>(most_);
        const bool all = columns <= most && rows <= most / columns;
        for (std::int64_t index = 0; index < (all ? rows * columns : most); ++index) {
            const std::int64_t row = all ? index / columns : below(rows);
            const std::int64_t column = all ? index % columns : below(columns);
            add(needed_, any_tile(row, m.tile, shape_.m), any_tile(column, n.tile, shape_.n));
            for (const std::int64_t i : special_tiles(row, m, shape_.m))
                for (const std::int64_t j : special_tiles(column, n, shape_.n))
                    add(wanted_, i, j);
        }
    }

    void add_edges(const Grain& m, const Grain& n) {
        for (const std::int64_t i : edges(shape_.m, m.block))
            add(needed_, i, below(shape_.n));
        for (const std::int64_t j : edges(shape_.n, n.block))
            add(needed_, below(shape_.m), j);
    }

    /// Entries anywhere, so that at least `least` are drawn in all.
    void add_others(std::size_t least) {
        while (needed_.size() + wanted_.size() < least)
            add(wanted_, below(shape_.m), below(shape_.n));
    }

    std::vector<Entry> take() && {
        shuffle(needed_, corners_);
        shuffle(wanted_, 0);
        needed_.insert(needed_.end(), wanted_.begin(), wanted_.end());
        needed_.resize(std::min(needed_.size(), std::max(most_, corners_)));
        std::sort(needed_.begin(), needed_.end());
        needed_.erase(std::unique(needed_.begin(), needed_.end()), needed_.end());
        return std::move(needed_);
    }

  private:
    std::int64_t below(std::int64_t bound) {
        return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(bound));
    }
    void add(std::vector<Entry>& entries, std::int64_t i, std::int64_t j) {
        entries.push_back({below(shape_.batch), i, j});
    }
    /// Seeded order for what may have to give way; std::shuffle's differs between libraries.
    void shuffle(std::vector<Entry>& entries, std::size_t kept) {
        for (std::size_t last = entries.size(); last > kept + 1; --last) {
            const auto drawn = static_cast<std::size_t>(below(static_cast<std::int64_t>(last - kept)));
            std::swap(entries[last - 1], entries[kept + drawn]);
        }
    }
    /// A seeded index with this residue.
    std::int64_t any_tile(std::int64_t residue, std::int64_t tile, std::int64_t extent) {
        return residue + tile * below(1 + (extent - 1 - residue) / tile);
    }
    /// The indices at this place in the last tile that has it, and in the last tiles of a seeded whole block
    /// and of the last block, whose tiles start afresh.
    std::vector<std::int64_t> special_tiles(std::int64_t residue, const Grain& grain, std::int64_t extent) {
        const auto last_of = [&](std::int64_t first, std::int64_t size) {
            return residue < size ? first + residue + (size - 1 - residue) / grain.tile * grain.tile
                                  : extent - 1;
        };
        std::vector<std::int64_t> indices{last_of(0, extent)};
        if (grain.block % grain.tile != 0 && extent > grain.block) {
            const std::int64_t whole = extent / grain.block, left = extent % grain.block;
            indices.push_back(last_of(grain.block * below(whole), grain.block));
            if (left != 0)
                indices.push_back(last_of(grain.block * whole, left));
        }
        return indices;
    }
    /// The indices before and after each edge inside the extent; a seeded choice of edges where they are too
    /// many.
    std::vector<std::int64_t> edges(std::int64_t extent, std::int64_t block) {
        const std::int64_t count = (extent - 1) / block;
        const auto wanted = std::min(count, static_cast<std::int64_t>(most_));
        std::vector<std::int64_t> indices;
        for (std::int64_t edge = 0; edge < wanted; ++edge) {
            const std::int64_t first = block * (1 + (wanted == count ? edge : below(count)));
            indices.insert(indices.end(), {first - 1, first});
        }
        return indices;
    }

    const GemmShape& shape_;
    std::mt19937_64 random_;
    std::size_t most_, corners_ = 0;
    std::vector<Entry> needed_, wanted_;
};

} // namespace

std::vector<Entry> sample_entries(const GemmShape& shape, const GemmCandidate& candidate, std::uint64_t seed,
                                  std::size_t most) {
    Sampler sampler(shape, seed, most);
    sampler.add_corners();
    // A kernel of whole products does not tell its blocks: these stand for them.
    const bool whole = candidate.loop_order == LoopOrder::own;
    const Grain m = whole ? Grain{16, 64} : Grain{candidate.mr, candidate.mc};
    const Grain n = whole ? Grain{16, 64} : Grain{candidate.nr, candidate.nc};
    sampler.add_residues(m, n);
    sampler.add_edges(m, n);
    if (m != n) {
        sampler.add_residues(n, m);
        sampler.add_edges(n, m);
    }
    sampler.add_others(512);
    return std::move(sampler).take();
}

} // namespace tune_gemm
