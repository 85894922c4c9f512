// Tunes one shape: validate, explore, confirm, publish, before a deadline.
//
//   validate   each distinct candidate at shapes_to_validate, just before it is first timed
//   explore    exploration_samples each, first_ids first, then tile after tile, the best first, shuffled;
//   what
//              is slower than slow_factor times the best is dropped after its first sample
//   confirm    the best few, interleaved, with fresh samples; the smallest median wins, near ties go to the
//              sound default, then to the smaller workspace, then the smaller id, and are said to be
//              equivalent
//   publish    the winner alone, with fresh samples: only that figure leaves this run. (The smallest of
//   several medians is
//              biased downwards; a fresh one is not.)
//
// The judge of time is the measurer's clock, and the same seed, candidates and times give the same result.
#pragma once
#include "tune/measurer.hpp"
#include "tune/result.hpp"
#include "tune/selection.hpp"

#include <tune_gemm/shape.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tune_gemm::host {

struct TuneSettings {
    std::uint64_t seed = 42; ///< of the shuffles; the operands' seed is the measurer's
    std::int64_t exploration_samples = 1, confirmation_samples = 12;
    std::size_t finalists = 6;
    double band = 0.015; ///< medians closer than this are equivalent
    double slow_factor = 2;
    std::int64_t budget_ns = 30'000'000'000;
    double confirmation_share = 0.35; ///< of the budget, at most, that is kept for confirming and publishing
    std::int64_t explore_min_ns = host::explore_min_ns, confirm_min_ns = host::confirm_min_ns;
    std::string plugin_words; ///< the options that say where plugins are, for commands that repeat a failure
    /// The most promising, best first; may be empty. Explored before the rest, of which then those come first
    /// whose tile has done best, in case the budget is short. The first of all is a sound default, and unless
    /// it is slow a finalist, lest a candidate win that a quiet moment has favoured; near ties go to it.
    std::vector<std::string> first_ids;
};

/// How far a run is.
struct TuneProgress {
    Phase phase = Phase::explore;
    std::size_t done = 0, total = 0; ///< candidates when exploring, samples afterwards
    const Standing* best = nullptr;  ///< so far; null before the first sample
    double best_ns = 0;
    std::int64_t left_ns = 0; ///< of the budget
};

/// Told of everything as it happens.
class TuneListener {
  public:
    virtual ~TuneListener() = default;
    virtual void validated(const Standing&, const GemmShape& /*at*/, const Judgement&) {}
    virtual void observed(const Standing&, Phase, const Sample&) {}
    virtual void failed(const Standing&) {}
    /// What was concluded: "dropped" (slow), "restored" (not slow, after all), "kept" (a
    /// finalist), "winner", "equivalent" (to the winner).
    virtual void decided(const Standing&, Phase, std::string_view /*verdict*/, std::string_view /*reason*/) {}
    /// Nothing more comes about this candidate for a while: what was recorded should now be safe.
    virtual void settled() {}
    virtual void progress(const TuneProgress&) {}
};

ShapeResult tune_shape(const GemmShape&, const Selection&, const TuneSettings&, Measurer&, TuneListener&);

} // namespace tune_gemm::host
