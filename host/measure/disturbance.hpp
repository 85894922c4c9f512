// Evidence that something else happened while a sample was taken. Recorded with the sample; nothing is
// deleted for it.
#pragma once
#include <cstdint>

namespace tune_gemm::host {

struct Disturbance {
    std::int64_t involuntary_switches = 0; ///< the processor was taken away
    std::int64_t minor_faults = 0;         ///< pages mapped without reading a disk
    std::int64_t major_faults = 0;
    std::int64_t migrations = 0; ///< 1 when the sample ended on another processor than it began on
    bool operator==(const Disturbance&) const = default;
};

/// Counts of the calling thread from construction to `since`. Two system calls each, so outside the clock.
class DisturbanceCounter {
  public:
    DisturbanceCounter();
    Disturbance since() const;

  private:
    Disturbance start_;
    int processor_;
};

} // namespace tune_gemm::host
