// A sound candidate without measuring anything: block sizes from the caches, the tile from the shape.
//
// The form is that of Low, Igual, Smith and Quintana-Orti, "Analytical modeling is enough for
// high-performance BLIS", ACM Transactions on Mathematical Software 43(2), 2016, section 4: a block of one
// operand stays in L2 and a micro-panel of the other in L1, while micro-panels pass by. Which is which is
// mirrored: registers wide along n make the panels of B the larger ones, so it is the block of B that stays
// in L2, and a panel of A in L1, of which it fills half. With elements of S bytes:
//
//   kc = (L1 / 2) / (mr * S) where B alone is packed and used again and again, so that C is visited seldom;
//        else 256
//   nc = (L2 / 2) / (kc * S); a quarter where B lies in place, since the rows of a block leave sets empty
//   mc = (L2 / 4) / (kc * S), where A is packed
//
// kc is kept within [256, 512], mc within [mr, 768], nc within [nr, 4096]. Where both are packed, each block
// of A is packed again for every block of B; so with k >= 256 and panels of B larger than half of L1, nc is
// 4096, and it is the block of A that stays in L2, as usual.
#pragma once
#include <tune_gemm/candidate.hpp>
#include <tune_gemm/catalogue.hpp>
#include <tune_gemm/shape.hpp>

#include <cstdint>

namespace tune_gemm {

/// A level of the data caches, as much of it as one thread may count on. 0: not known.
struct CacheLevel {
    std::int64_t bytes = 0, ways = 0;
    bool operator==(const CacheLevel&) const = default;
};
struct CacheSizes {
    CacheLevel l1, l2, l3;
    bool operator==(const CacheSizes&) const = default;
};

/// What is known, within bounds that hold for every processor of the last fifteen years, so that a virtual
/// machine's nonsense does no harm: L1 16 to 128 KiB, L2 128 KiB to 4 MiB, L3 1 to 64 MiB, 2 to 32 ways.
/// Where sizes are not known: 32 KiB, 512 KiB and 4 MiB; where ways are not: as many as ways of 4, 64 and 256
/// KiB make. (A way of L1 is a page as a rule, since its sets are found by the address within the page.)
CacheSizes plausible_caches(const CacheSizes&) noexcept;

struct BlockSizes {
    std::int64_t mc = 0, nc = 0, kc = 0;
    bool operator==(const BlockSizes&) const = default;
};
/// What blocks are for: a tile of mr x nr whose panels interleave kr steps, k of the product, the bytes of an
/// element, which operands are copied, and whether each element of the copy of B is read in many tiles. Sizes
/// are positive.
struct BlockUse {
    std::int64_t mr = 0, nr = 0, kr = 1, element_size = 8, k = 0;
    bool packed_a = false, packed_b = false, reuses_b = false;
};
/// The formulas above for plausible_caches(caches): mc a multiple of mr, nc of nr. k is cut into the number
/// of blocks that makes them about kc deep, all alike, and nc and mc suit that depth; an A in place has the
/// largest mc.
BlockSizes model_blocks(const BlockUse&, const CacheSizes& caches);

/// What a step along k costs on an m x n matrix cut into tiles of mr x nr, in halves of a cycle: rows*v
/// multiply-adds and rows + 3v loads go two a cycle, v = ceil(columns/vector) being the registers of a row;
/// those of B count three times, since its panels come from L2; a tile of few registers waits for their
/// results, four cycles each. A load of A counts a half besides and one of B five eighths: what they take of
/// a core whose other thread is busy, fitted to measurements of five tiles. Tails are counted as they are;
/// rows that are left over of an A in place are shared with the last whole tile, as the driver does.
double tile_cost(std::int64_t m, std::int64_t n, std::int64_t mr, std::int64_t nr, std::int64_t vector,
                 bool packed_a);

/// The candidate that a tile kernel is run with where nothing is tuned; for a whole-gemm kernel its one
/// candidate. Among the kernel's tiles that can serve the shape the one of least tile_cost (equal cost: the
/// first; a quarter more where the rows of a tile of A in place fall into one set of L1 and are more than its
/// ways), `vector` being the greatest common divisor of their nr; a free tile counts as 8 x 8.
/// Blocks of the model, divided evenly over the extents (of k: into the nearest number of blocks; where rows
/// of A in place are read by one column of tiles, as deep as a quarter of L2 holds of B and at least 256,
/// where B lies in place too or has at most four columns; 32 deep where k is larger than 64 and one row of
/// tiles reads Bs in place that are larger than half of L2, all of n wide then, or columns of an A larger
/// than L1 are read in place) and made smaller, nc first, until the workspace is within `limit`. Loop order
/// n_k_m.
///
/// Packing, in the tile's view: B when it is larger than half the L2 cache and each element of the copy is
/// read in 24 tiles or more, or its rows are 2 KiB or more apart and it is read in six tiles, or in four
/// where it is larger than twice that cache; or when its rows are 8 KiB or more apart and it is read in 48; A
/// when its elements along k are not neighbours, it is larger than the L1 cache and is read in four tiles or
/// more; besides, what the tile takes in no other way. C is staged rather than an operand packed against this
/// only where it has at most four rows or columns and k is larger than 32.
///
/// Refuses, with the first tile's reason, when no tile can serve the shape's layouts, and an extent that is
/// not positive.
Outcome<GemmCandidate> model_candidate(const KernelInfo&, const GemmShape&, const CacheSizes&,
                                       std::int64_t limit);

} // namespace tune_gemm
