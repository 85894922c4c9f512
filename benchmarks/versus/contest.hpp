// One shape, all contestants: each in a process of its own, judged first, then timed in turn.
//
// In each round every contestant and every measure of the machine is sampled once, in an order that is
// shuffled anew, so that a disturbance or a slow minute meets all of them. A contestant whose turn it is not
// is stopped, lest threads of its that spin disturb the others.
#pragma once
#include "contestants.hpp"
#include "machine_rates.hpp"

#include "worker/process.hpp"

#include <tune_gemm/cache_model.hpp>
#include <tune_gemm/shape.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tune_gemm::bench {

/// What a contestant runs a shape with, and who says so: "given", "tuned", "model".
struct Choice {
    GemmCandidate candidate;
    std::string source;
};
/// Refuses when the contestant has no candidate for the shape.
using Chooser = std::function<Outcome<Choice>(const Contestant&, const GemmShape&)>;

struct ContestSettings {
    unsigned threads = 1;
    double seconds = 2;              ///< for the rounds of one shape
    std::int64_t min_ns = 5'000'000; ///< of a sample
    std::int64_t least_rounds = 5;
    bool cold = false;    ///< besides, with operands that the caches have forgotten
    bool scaling = false; ///< besides, each kernel of ours with one thread
    std::uint64_t seed = 42;
    std::int64_t workspace_limit = default_workspace_limit; ///< a thread
};

/// One contestant at one shape.
struct Performance {
    std::string candidate, source;  ///< empty when there is none
    std::string absent;             ///< why there are no times; empty when there are
    bool wrong = false;             ///< absent since a product or a time was wrong, or the process failed
    std::vector<double> warm, cold; ///< ns of a product, one a round
    std::vector<double> alone;      ///< the same, warm, with one thread
};

/// A measure of the machine in the same rounds.
struct Rate {
    std::string name;
    std::vector<double> samples; ///< GFLOP/s or GB/s
};

struct Outcomes {
    GemmShape shape;
    std::string name;                      ///< from the problem set; may be empty
    std::vector<Performance> performances; ///< in the contestants' order
    std::vector<Rate> peaks;               ///< of each instruction set that our contestants need
    std::vector<Rate> peaks_alone;         ///< the same with one thread, in the same order
    std::optional<Rate> reading; ///< where m or n is 1: of as many bytes as the product's operands have
    std::int64_t rounds = 0;
};

/// Bytes of A, B and C.
double operand_bytes(const GemmShape&, tg_dtype);

/// Keeps the processes from shape to shape. [one thread]
class Contest {
  public:
    Contest(const std::vector<Contestant>&, ContestSettings, Chooser);
    ~Contest();
    Outcomes run(const GemmShape&, const std::string& name);

  private:
    class Seat; ///< a contestant with its process

    ContestSettings settings_;
    Chooser chooser_;
    std::vector<Seat> seats_, alone_; ///< alone_ is empty unless scaling is asked for
    std::vector<PeakMeter> peaks_, peaks_alone_;
};

} // namespace tune_gemm::bench
