// The state of a tuning run of one shape, shared by its phases. Internal to tune_shape.
#pragma once
#include "tune/tuner.hpp"

#include <cstdint>
#include <random>
#include <vector>

namespace tune_gemm::host {

class ShapeTuner {
  public:
    ShapeTuner(const GemmShape&, const Selection&, const TuneSettings&, Measurer&, TuneListener&);
    ShapeResult run();

  private:
    using Index = std::size_t;

    // exploration.cpp
    void explore();
    /// One sample of each; false when there is no time for more.
    bool explore(const std::vector<Index>&, bool are_new);
    /// Those not reached yet: the first ids; or all, after them, the best tile's first.
    std::vector<Index> promising();
    std::vector<Index> others();
    bool validate(Index);
    void drop_slow(Index);
    /// Those that were slow only beside a best that has failed since are in the race again.
    void restore_slow();
    std::vector<Index> with_fate(Fate) const;

    // confirmation.cpp
    /// Whether it is the sound default, the first of first_ids.
    bool is_sound(Index) const;
    std::vector<Index> choose_finalists();
    void confirm(const std::vector<Index>& finalists);
    void choose_winner(const std::vector<Index>& finalists);
    bool publish();

    // tuner.cpp
    /// Takes one sample into the candidate's list of that phase; false when none came of it.
    bool take_sample(Index, Phase, std::int64_t min_ns);
    /// Records the failure and returns false; out_of_time is no failure of the candidate's, and ends the
    /// phase.
    bool fail(Index, Phase, const GemmShape& at, MeasureFailure);
    void decide(Index, Fate, Phase, std::string_view verdict, std::string_view reason);
    void report(Phase, std::size_t done, std::size_t total);
    /// When the phase must end; exploration may use all the time until something has been measured.
    std::int64_t deadline_of(Phase) const;
    /// What confirming and publishing will take, by the best so far; at most confirmation_share of the
    /// budget.
    std::int64_t kept_for_confirmation() const;
    bool must_stop(Phase);
    /// What a sample for confirmation will take, by what its exploration took.
    std::int64_t confirm_cost(Index) const;
    std::vector<Index> shuffled(std::vector<Index>);
    Standing& standing(Index i) { return result_.standings[i]; }

    const TuneSettings& settings_;
    Measurer& measurer_;
    TuneListener& listener_;
    ShapeResult result_;
    std::mt19937_64 random_;
    std::int64_t start_ns_;
    std::vector<std::int64_t> call_ns_; ///< what the last sample of each candidate took, all in all
    double best_ns_; ///< the smallest time seen of any candidate; infinite before the first
    Index best_ = 0;
};

} // namespace tune_gemm::host
