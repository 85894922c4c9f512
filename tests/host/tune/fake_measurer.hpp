// A measurer whose times come from a table and whose clock moves only when something is measured.
#pragma once
#include "tune/measurer.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tune_gemm::host::test {

/// What a candidate does.
struct FakeKernel {
    std::vector<double> times{1000}; ///< ns per use, one after the other, the last again and again
    std::int64_t fails_at_m = -1;    ///< validation at this m gives `failure`; -1: never
    bool fails_when_timed = false;   ///< the first sample gives `failure`
    bool wrong_when_timed = false;   ///< the output of timed runs is wrong
    bool impossible = false;         ///< the time is impossible
    MeasureFailure failure{MeasureFailure::Kind::crashed, "crashed with SIGSEGV (segmentation fault)"};
};

class FakeMeasurer : public Measurer {
  public:
    std::map<std::string, FakeKernel> kernels; ///< by candidate id; others are like `usual`
    FakeKernel usual;
    std::int64_t validate_ns = 1'000'000;
    std::int64_t interrupt_after = -1;  ///< samples; -1: never
    std::vector<std::string> log;       ///< "validate ID at MxNxK", "sample ID"
    std::map<std::string, int> samples; ///< taken, by id
    std::int64_t sampled = 0;
    std::int64_t late_calls = 0; ///< begun at a deadline or after it

    Measured<Judgement> validate(const GemmCandidate&, const GemmShape&, std::int64_t deadline_ns) override;
    Measured<Sample> sample(const GemmCandidate&, const GemmShape&, std::int64_t min_ns,
                            std::int64_t deadline_ns) override;
    std::int64_t now_ns() override { return now_; }
    bool interrupted() override { return interrupt_after >= 0 && sampled >= interrupt_after; }

  private:
    const FakeKernel& kernel(const std::string& id) const;
    std::int64_t now_ = 1'000'000'000;
};

Judgement right(std::int64_t compared = 4096);
Judgement wrong();

} // namespace tune_gemm::host::test
