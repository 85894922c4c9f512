// A sound candidate without measuring anything, by the cache model: the tile from the shape, the packing from
// what each copy would be read for, the blocks from the caches.
#pragma once
#include <tune_gemm/cache_model.hpp>
#include <tune_gemm/candidate.hpp>
#include <tune_gemm/catalogue.hpp>
#include <tune_gemm/shape.hpp>

#include <cstdint>
#include <span>

namespace tune_gemm {

/// A tile at the size that it is run at: its own, or one that a free tile takes.
struct SizedTile {
    const TileInfo* info = nullptr;
    std::int64_t mr = 0, nr = 0;
};

/// What the model would run a tile with.
struct Proposal {
    GemmCandidate candidate;
    double cost = 0;           ///< of its steps along k, see tile_cost
    std::int64_t m = 0, n = 0; ///< as the tile sees C, which may be the user's transposed
};

inline constexpr Packing every_packing[] = {Packing::none, Packing::b, Packing::a, Packing::ab};

/// What one tile is run with where nothing is tuned, of the packings given.
///
/// Blocks of the model, divided evenly over the extents (of k: into the nearest number of blocks; where rows
/// of A in place are read by one column of tiles, as deep as a quarter of L2 holds of B and at least 256,
/// where B lies in place too or has at most four columns). 32 deep where k is larger than 64 and columns of
/// an A larger than L1 are read in place, or one row of tiles reads Bs in place that are larger than half of
/// L2; where several rows of tiles read such a B, as deep as 64 pages hold of its rows, 32 to 256; all of n
/// wide then. They are made smaller, nc first, until the workspace is within `limit`. Loop order n_k_m.
///
/// Packing, in the tile's view: B when it is larger than half the L2 cache and each element of the copy is
/// read in 24 tiles or more, or in five where its rows are 2 KiB or more apart; or when L2 holds it, and its
/// rows are 8 KiB or more apart and it is read in 48, or are no whole lines and it is read in 24; A when its
/// elements along k are not neighbours, it is larger than the L1 cache and is read in four tiles or more;
/// besides, what the tile takes in no other way. C is staged rather than an operand packed against this only
/// where it has at most four rows or columns and k is larger than 32.
///
/// The cost is a quarter more where the rows of a tile of A in place fall into one set of L1 and are more
/// than its ways. The registers of tile_cost are as wide as the greatest common divisor of the nr of the
/// kernel's tiles.
///
/// Refuses, with the reason of the first packing, when the tile can serve the shape's layouts with none, and
/// an extent that is not positive.
Outcome<Proposal> propose(const KernelInfo&, const SizedTile&, const GemmShape&, const CacheSizes&,
                          std::int64_t limit, std::span<const Packing> = every_packing);

/// The one candidate of a whole-gemm kernel, whose loops are its own.
GemmCandidate whole_gemm_candidate(const KernelInfo&);

/// The candidate that a kernel is run with where nothing is tuned: for a whole-gemm kernel its one candidate,
/// else the proposal of least cost among its tiles (equal cost: the first; a free tile counts as 8 x 8).
/// Refuses, with the first tile's reason, when no tile can serve.
Outcome<GemmCandidate> model_candidate(const KernelInfo&, const GemmShape&, const CacheSizes&,
                                       std::int64_t limit);

} // namespace tune_gemm
