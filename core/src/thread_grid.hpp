// How threads share a product.
#pragma once
#include <tune_gemm/blocked.hpp>

#include <cstdint>

namespace tune_gemm {

/// [begin, end)
struct Range {
    std::int64_t begin = 0, end = 0;
    std::int64_t length() const noexcept { return end - begin; }
};

/// Part `index` of `parts` of [0, extent), cut at multiples of `unit`; parts differ by one unit at most.
Range share_of(std::int64_t extent, std::int64_t unit, unsigned parts, unsigned index) noexcept;

/// The size of blocks that cut `extent` into as few as blocks of `most` do, but evenly; a multiple of `unit`
/// where `most` is one.
std::int64_t even_block(std::int64_t extent, std::int64_t most, std::int64_t unit) noexcept;

/// The grid of at most `threads` that leaves the least to the thread with most to do; of equal ones that with
/// most parts of the batch, then of rows, which share B. For a problem in the kernel's view.
ThreadGrid choose_grid(const GemmProblem&, std::int64_t mr, std::int64_t nr, unsigned threads) noexcept;

/// Whether threads with the same columns pack B together.
bool shares_packed_b(const BlockedPlan&) noexcept;
/// Packed blocks of B that a run holds at once: one for each thread, or for those with the same columns.
std::int64_t packed_blocks_of_b(const BlockedPlan&) noexcept;

} // namespace tune_gemm
