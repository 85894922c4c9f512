// Who allocates: the memory functions of the C library, counted, and refused on demand.
//
// This program defines malloc and its kin itself, over those of the C library, so the calls of every library
// that it loads come here. Without a watch they cost a look at one variable. Memory that a library maps
// itself (mmap) counts, too.
#pragma once
#include <cstdint>

namespace tune_gemm::host {

/// Null where allocations can be counted, else why not (sanitizers have a malloc of their own).
const char* no_allocation_count() noexcept;

/// What has been allocated and freed under a watch.
struct Allocations {
    std::int64_t calls = 0;  ///< of malloc, calloc, realloc, aligned_alloc, .., and of mmap
    std::int64_t blocks = 0; ///< allocated and not freed
    std::int64_t bytes = 0;  ///< in those blocks
};

/// Counts the allocations of all threads between its making and its end: memory may be freed by another
/// thread than the one that took it. One at a time.
class AllocationWatch {
  public:
    AllocationWatch() noexcept;
    ~AllocationWatch();
    AllocationWatch(const AllocationWatch&) = delete;
    AllocationWatch& operator=(const AllocationWatch&) = delete;

    Allocations so_far() const noexcept;
    /// The allocation of this number (1: the next one), and all after it, are refused to this thread: a null
    /// pointer with ENOMEM. 0: none is.
    void refuse_from(std::int64_t number) noexcept;
    /// How many have been refused.
    std::int64_t refused() const noexcept;
};

} // namespace tune_gemm::host
