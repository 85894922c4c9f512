// The clock that samples are taken with: steady, in nanoseconds, its grain and cost measured where it is
// used.
#pragma once
#include <chrono>
#include <cstdint>

namespace tune_gemm::host {

/// Nanoseconds of the steady clock, since an unspecified start. Never goes back.
inline std::int64_t now_ns() noexcept {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// What the clock can see, in nanoseconds.
struct ClockQuality {
    std::int64_t resolution_ns = 0; ///< the smallest step seen between two readings that differ; at least 1
    double cost_ns = 0;             ///< of one reading, the median of several runs
};

/// Measured once a process, in about a millisecond.
const ClockQuality& clock_quality();

/// Time that adds up over several spans, so that work outside them is not counted.
class Stopwatch {
  public:
    void start() noexcept { started_ = now_ns(); }
    void stop() noexcept { elapsed_ += now_ns() - started_; }
    std::int64_t elapsed_ns() const noexcept { return elapsed_; }

  private:
    std::int64_t started_ = 0, elapsed_ = 0;
};

} // namespace tune_gemm::host
