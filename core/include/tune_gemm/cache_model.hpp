// Block sizes from the caches, and what a register tile costs, without measuring anything.
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
#include <cstdint>

namespace tune_gemm {

inline constexpr std::int64_t least_kc = 256, most_nc = 4096;

/// How large a block is, a multiple of `unit`, when `extent` is cut into that many, all about alike.
std::int64_t evenly(std::int64_t extent, std::int64_t blocks, std::int64_t unit) noexcept;

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

} // namespace tune_gemm
