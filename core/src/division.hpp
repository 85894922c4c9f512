// How threads share a product: in units, whole tiles of C, which they claim while it runs.
#pragma once
#include <tune_gemm/blocked.hpp>

#include <cstdint>

namespace tune_gemm {

/// [begin, end)
struct Range {
    std::int64_t begin = 0, end = 0;
    std::int64_t length() const noexcept { return end - begin; }
};

/// A rectangle of C in some matrices of the batch.
struct Part {
    Range batch, m, n;
};

/// Which way neighbouring units lie.
enum class Along : bool {
    rows,   ///< of C; their part of A stays near
    columns ///< of C; their part of B stays near
};

/// The units of a part of C, in an order in which neighbours have most in common: along a strip of rows (or a
/// slice of columns), then from strip to strip, then from matrix to matrix.
class Units {
  public:
    Units(const Part& whole, std::int64_t rows, std::int64_t columns, Along) noexcept;
    std::int64_t count() const noexcept { return whole_.batch.length() * strips_ * slices_; }
    /// The largest rectangle that begins with the first of `units`, which go on after it. Precondition: there
    /// is one.
    Part take(Range& units) const noexcept;

  private:
    Part whole_;
    std::int64_t rows_, columns_, strips_, slices_;
    Along along_;
};

/// The size of blocks that cut `extent` into as few as blocks of `most` do, but evenly; a multiple of `unit`
/// where `most` is one.
std::int64_t even_block(std::int64_t extent, std::int64_t most, std::int64_t unit) noexcept;

/// For a plan that is complete else. No thread is asked for that would have next to nothing to do.
Division divide(const BlockedPlan&, unsigned threads) noexcept;

/// Whether the loops over B are outermost, so that threads can pack each block of it together.
bool can_share_b(const BlockedPlan&) noexcept;
/// Packed blocks of B that a run holds at once.
std::int64_t packed_blocks_of_b(const BlockedPlan&) noexcept;

} // namespace tune_gemm
