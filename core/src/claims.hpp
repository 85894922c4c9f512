// Work that threads take from a heap, piece by piece, so that one that is held up leaves more to the others.
#pragma once
#include "division.hpp"
#include "waiting.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace tune_gemm {

/// What the threads of one run have in common.
struct Heap {
    alignas(64) std::atomic<std::int64_t> next{0}; ///< unit, counted through all phases
    alignas(64) std::atomic<std::int64_t> done{0}; ///< units
};

/// One thread's way through the phases of a run. All threads go through the same phases; nobody waits for a
/// thread, only for units that were claimed: whoever comes late finds the work done.
class Claims {
  public:
    Claims(Heap& heap, unsigned threads, int looks) noexcept
        : heap_(heap), share_(2 * threads), looks_(looks) {}

    /// Does what this thread can get of `units`, in pieces that become smaller towards the end, but not below
    /// `least` units, and returns when there is nothing left to claim.
    template <class Body>
    void work(std::int64_t units, std::int64_t least, Body body) noexcept {
        end_ += units;
        std::int64_t begin = heap_.next.load(std::memory_order_relaxed);
        while (begin < end_) {
            const std::int64_t left = end_ - begin, size = std::min(left, std::max(least, left / share_));
            if (!heap_.next.compare_exchange_weak(begin, begin + size, std::memory_order_relaxed))
                continue;
            const std::int64_t first = begin - (end_ - units);
            body(Range{first, first + size});
            // In one order with who is about to sleep.
            if (heap_.done.fetch_add(size) + size == end_)
                heap_.done.notify_all();
            begin = heap_.next.load(std::memory_order_relaxed);
        }
    }

    /// Returns when all of what has been claimed in this phase is done: then the next one may begin.
    void wait() const noexcept {
        for (int look = 0; look < looks_; ++look) {
            if (heap_.done.load(std::memory_order_acquire) >= end_)
                return;
            relax();
        }
        for (std::int64_t done; (done = heap_.done.load(std::memory_order_acquire)) < end_;)
            heap_.done.wait(done);
    }

  private:
    Heap& heap_;
    std::int64_t share_;
    int looks_;
    std::int64_t end_ = 0; ///< of the present phase
};

} // namespace tune_gemm
