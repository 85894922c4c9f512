// What the machine can do at best, measured beside the contestants and in the same way: multiply-adds a
// second and bytes read a second.
#pragma once
#include "measure/fma_peak.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tune_gemm::bench {
using host::fma_loop;
using host::FmaLoop;

/// The FMA peak of one instruction set, by so many threads.
class PeakMeter {
  public:
    /// `features` as in fma_loop, which may know no loop for them.
    PeakMeter(tg_dtype, const std::vector<std::string>& features, unsigned threads);
    bool usable() const noexcept { return loop_.run != nullptr; }
    const std::string& name() const noexcept { return loop_.name; }
    /// GFLOP/s of one sample of about min_ns. Precondition: usable().
    double sample(std::int64_t min_ns);

  private:
    FmaLoop loop_;
    unsigned threads_;
    std::int64_t repeats_ = 10'000;
};

/// Reads memory as fast as loads go: what a product of a matrix and a vector cannot exceed.
class ReadMeter {
  public:
    /// `bytes` are what one product reads; at least 4 KiB are taken. `is_usable` is false without AVX.
    ReadMeter(std::int64_t bytes, unsigned threads);
    bool usable() const noexcept { return usable_; }
    /// Bytes per nanosecond (GB/s) of one sample of about min_ns. Precondition: usable().
    double sample(std::int64_t min_ns);

  private:
    double pass(std::int64_t times) const; ///< ns
    std::vector<double> data_;
    unsigned threads_;
    bool usable_;
    std::int64_t times_ = 1;
};

} // namespace tune_gemm::bench
