// Work that threads take from heaps, piece by piece, so that one that is held up leaves more to the others.
#pragma once
#include "division.hpp"
#include "waiting.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace tune_gemm {

/// What the threads of one run have in common. Each has a heap to begin with, so that the same thread does
/// the same part of a product in every phase and run, and finds it in its caches; who has done with its own
/// goes on with those of others.
struct Heaps {
    /// Further threads share heaps.
    static constexpr unsigned most = 64;

    struct alignas(64) Heap {
        std::atomic<std::int64_t> next{0}; ///< unit of this heap, counted through all phases
    };
    Heap heaps[most];
    alignas(64) std::atomic<std::int64_t> done{0}; ///< units of all heaps
};

/// One thread's way through the phases of a run. All threads go through the same phases; nobody waits for a
/// thread, only for units that were claimed: whoever comes late finds the work done.
class Claims {
  public:
    Claims(Heaps& heaps, unsigned threads, unsigned member, int looks) noexcept
        : heaps_(heaps), count_(std::min(threads, Heaps::most)), own_(member % count_), looks_(looks) {}

    /// Does what this thread can get of `units`, in pieces of half of what is left in a heap, but not below
    /// `least` units, and returns when there is nothing left to claim.
    template <class Body>
    void work(std::int64_t units, std::int64_t least, Body body) noexcept {
        end_ += units;
        for (unsigned turn = 0; turn < count_; ++turn) {
            const unsigned heap = (own_ + turn) % count_;
            const std::int64_t first = begin_of(heap, units), count = begin_of(heap + 1, units) - first;
            ends_[heap] += count;
            const std::int64_t to_unit = first + count - ends_[heap];
            std::atomic<std::int64_t>& next = heaps_.heaps[heap].next;
            std::int64_t begin = next.load(std::memory_order_relaxed);
            while (begin < ends_[heap]) {
                const std::int64_t left = ends_[heap] - begin,
                                   size = std::min(left, std::max(least, left / 2));
                if (!next.compare_exchange_weak(begin, begin + size, std::memory_order_relaxed))
                    continue;
                body(Range{begin + to_unit, begin + to_unit + size});
                // In one order with who is about to sleep.
                if (heaps_.done.fetch_add(size) + size == end_)
                    heaps_.done.notify_all();
                begin = next.load(std::memory_order_relaxed);
            }
        }
    }

    /// Returns when all of what has been claimed in this phase is done: then the next one may begin.
    void wait() const noexcept {
        for (int look = 0; look < looks_; ++look) {
            if (heaps_.done.load(std::memory_order_acquire) >= end_)
                return;
            relax();
        }
        for (std::int64_t done; (done = heaps_.done.load(std::memory_order_acquire)) < end_;)
            heaps_.done.wait(done);
    }

  private:
    std::int64_t begin_of(unsigned heap, std::int64_t units) const noexcept {
        return units / count_ * heap + std::min<std::int64_t>(units % count_, heap);
    }

    Heaps& heaps_;
    unsigned count_, own_;
    int looks_;
    std::int64_t end_ = 0;             ///< of the present phase
    std::int64_t ends_[Heaps::most]{}; ///< in each heap
};

} // namespace tune_gemm
