#include "tune/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace tune_gemm::host {

std::string_view to_text(MeasureFailure::Kind kind) noexcept {
    switch (kind) {
    case MeasureFailure::Kind::crashed:
        return "crashed";
    case MeasureFailure::Kind::exited:
        return "exited";
    case MeasureFailure::Kind::timed_out:
        return "timed_out";
    case MeasureFailure::Kind::garbled:
        return "garbled";
    case MeasureFailure::Kind::refused:
        return "refused";
    case MeasureFailure::Kind::wrong:
        return "wrong";
    case MeasureFailure::Kind::impossible:
        return "impossible";
    case MeasureFailure::Kind::out_of_time:
        return "out_of_time";
    }
    return "?";
}

std::string_view to_text(Fate fate) noexcept {
    switch (fate) {
    case Fate::not_reached:
        return "not_reached";
    case Fate::failed:
        return "failed";
    case Fate::slow:
        return "slow";
    case Fate::explored:
        return "explored";
    case Fate::finalist:
        return "finalist";
    case Fate::winner:
        return "winner";
    }
    return "?";
}

std::string_view to_text(TuneOutcome outcome) noexcept {
    switch (outcome) {
    case TuneOutcome::tuned:
        return "tuned";
    case TuneOutcome::unconfirmed:
        return "unconfirmed";
    case TuneOutcome::all_failed:
        return "all_failed";
    case TuneOutcome::no_time:
        return "no_time";
    case TuneOutcome::none_valid:
        return "none_valid";
    }
    return "?";
}

std::vector<double> times_of(const std::vector<Sample>& samples) {
    std::vector<double> times;
    times.reserve(samples.size());
    for (const Sample& sample : samples)
        times.push_back(sample.ns());
    return times;
}

double Standing::explored_ns() const {
    return median(times_of(exploration));
}
double Standing::confirmed_ns() const {
    return median(times_of(confirmation));
}
double Standing::published_ns() const {
    return median(times_of(published));
}
double Standing::best_known_ns() const {
    return confirmation.empty() ? explored_ns() : confirmed_ns();
}

std::int64_t ShapeResult::count(Fate fate) const {
    return std::count_if(standings.begin(), standings.end(),
                         [&](const Standing& s) { return s.fate == fate; });
}

double ShapeResult::second_over_first() const {
    if (!winner || finalists.size() < 2)
        return std::numeric_limits<double>::quiet_NaN();
    return standings[finalists[1]].confirmed_ns() / standings[*winner].confirmed_ns();
}

double ShapeResult::gflops() const {
    return winner ? gflops_of(shape, standings[*winner].published_ns())
                  : std::numeric_limits<double>::quiet_NaN();
}

double gflops_of(const GemmShape& shape, double ns) {
    return 2 * static_cast<double>(multiply_adds(shape)) / ns;
}

std::string validated_text(const Standing& standing) {
    if (standing.validated.empty())
        return "not validated";
    std::int64_t least_sampled = 0;
    for (const Judgement& judgement : standing.validated)
        if (judgement.sampled && (least_sampled == 0 || judgement.compared < least_sampled))
            least_sampled = judgement.compared;
    return least_sampled > 0 ? fmt::format("sampled {}", least_sampled) : "all";
}

} // namespace tune_gemm::host
