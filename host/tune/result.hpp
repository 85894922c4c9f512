// What came of tuning one shape.
#pragma once
#include "measure/answers.hpp"
#include "measure/statistics.hpp"
#include "store/journal_record.hpp"
#include "tune/measurer.hpp"
#include "tune/selection.hpp"

#include <tune_gemm/shape.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tune_gemm::host {

enum class Fate {
    not_reached, ///< the budget or the user ended the run before it was measured
    failed,      ///< crashed, hung, wrong, ...: see Standing::failure
    slow,        ///< dropped: slower than slow_factor times the best
    explored,    ///< measured, not among the best
    finalist,
    winner,
};
std::string_view to_text(Fate) noexcept;

/// A distinct candidate and all that was measured of it.
struct Standing {
    Distinct distinct;
    Fate fate = Fate::not_reached;
    std::optional<MeasureFailure> failure;
    Phase failed_in = Phase::validate;
    GemmShape failed_at;              ///< the shape at which it failed
    std::vector<Judgement> validated; ///< at the shape and each neighbour, as far as it came
    std::vector<Sample> exploration, confirmation, published;

    /// Medians of ns per use; NaN without samples.
    double explored_ns() const;
    double confirmed_ns() const;
    double published_ns() const;
    /// The confirmed median, or without one the explored.
    double best_known_ns() const;
};

enum class TuneOutcome {
    tuned,       ///< a winner, and a figure of fresh samples to publish
    unconfirmed, ///< no time was left for those: the best that was seen, and no figure
    all_failed,  ///< no candidate is right and can be timed
    no_time,     ///< nothing could be measured before the end
    none_valid,  ///< no candidate is valid for this shape
};
std::string_view to_text(TuneOutcome) noexcept;

struct ShapeResult {
    GemmShape shape;
    std::int64_t asked = 0, valid = 0;
    std::vector<Dropped> dropped;
    std::vector<Standing> standings; ///< one for each distinct candidate
    TuneOutcome outcome = TuneOutcome::no_time;
    std::optional<std::size_t> winner;   ///< index into standings
    std::vector<std::size_t> equivalent; ///< to the winner, as far as this run can tell
    std::vector<std::size_t> finalists;  ///< the winner first, then by median
    bool budget_spent = false;           ///< the deadline cut something short
    bool interrupted = false;
    std::int64_t elapsed_ns = 0;

    std::int64_t count(Fate) const;
    const Standing* winning() const noexcept { return winner ? &standings[*winner] : nullptr; }
    /// The runner-up's confirmed median over the winner's; NaN when there is none.
    double second_over_first() const;
    /// 10^9 flop/s of the published figure; NaN when there is none.
    double gflops() const;
};

/// The times of samples, in ns per use.
std::vector<double> times_of(const std::vector<Sample>&);
/// 10^9 flop/s of one use of the shape in `ns`.
double gflops_of(const GemmShape&, double ns);
/// "all 4096 entries at 7 shapes", "sampled 512": what the winner was compared on.
std::string validated_text(const Standing&);

} // namespace tune_gemm::host
