#include "tune/tuner.hpp"

#include "tune/shape_tuner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tune_gemm::host {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

} // namespace

ShapeTuner::ShapeTuner(const GemmShape& shape, const Selection& selection, const TuneSettings& settings,
                       Measurer& measurer, TuneListener& listener)
    : settings_(settings), measurer_(measurer), listener_(listener), random_(settings.seed),
      start_ns_(measurer.now_ns()), call_ns_(selection.distinct.size(), 0), best_ns_(infinite) {
    result_.shape = shape;
    result_.asked = selection.asked;
    result_.valid = selection.valid;
    result_.dropped = selection.dropped;
    for (const Distinct& distinct : selection.distinct) {
        Standing standing;
        standing.distinct = distinct;
        result_.standings.push_back(std::move(standing));
    }
}

ShapeResult ShapeTuner::run() {
    explore();
    // A second time only when all the finalists fail; then others are the best.
    while (!result_.winner) {
        const std::vector<Index> finalists = choose_finalists();
        if (finalists.empty())
            break;
        if (finalists.size() > 1)
            confirm(finalists);
        choose_winner(finalists);
        // A winner that fails at last makes room for the next.
        while (result_.winner && !publish())
            choose_winner(finalists);
    }

    result_.interrupted = measurer_.interrupted();
    if (result_.winner)
        result_.outcome =
            standing(*result_.winner).published.empty() ? TuneOutcome::unconfirmed : TuneOutcome::tuned;
    else if (result_.standings.empty())
        result_.outcome = TuneOutcome::none_valid;
    else
        result_.outcome =
            result_.count(Fate::not_reached) > 0 ? TuneOutcome::no_time : TuneOutcome::all_failed;
    result_.elapsed_ns = measurer_.now_ns() - start_ns_;
    listener_.settled();
    return std::move(result_);
}

std::int64_t ShapeTuner::deadline_of(Phase phase) const {
    const bool whole = phase == Phase::confirm || phase == Phase::final || best_ns_ == infinite;
    return start_ns_ + settings_.budget_ns - (whole ? 0 : kept_for_confirmation());
}

bool ShapeTuner::must_stop(Phase phase) {
    if (measurer_.interrupted())
        return true;
    if (measurer_.now_ns() < deadline_of(phase))
        return false;
    result_.budget_spent = true;
    return true;
}

bool ShapeTuner::take_sample(Index i, Phase phase, std::int64_t min_ns) {
    const std::int64_t before = measurer_.now_ns();
    const auto measured =
        measurer_.sample(standing(i).distinct.candidate, result_.shape, min_ns, deadline_of(phase));
    call_ns_[i] = measurer_.now_ns() - before;
    if (const auto* failure = std::get_if<MeasureFailure>(&measured))
        return fail(i, phase, result_.shape, *failure);
    const Sample& sample = std::get<Sample>(measured);
    // What the timed run computed decides first: a wrong product has no time.
    if (!sample.judgement.correct)
        return fail(i, phase, result_.shape,
                    {MeasureFailure::Kind::wrong, sample.judgement.first
                                                      ? "the timed run: " + to_text(*sample.judgement.first)
                                                      : "the timed run: nothing could be compared"});
    if (!sample.impossible.empty())
        return fail(i, phase, result_.shape, {MeasureFailure::Kind::impossible, sample.impossible});
    auto& samples = phase == Phase::explore   ? standing(i).exploration
                    : phase == Phase::confirm ? standing(i).confirmation
                                              : standing(i).published;
    samples.push_back(sample);
    listener_.observed(standing(i), phase, sample);
    if (sample.ns() < best_ns_) {
        best_ns_ = sample.ns();
        best_ = i;
    }
    return true;
}

bool ShapeTuner::fail(Index i, Phase phase, const GemmShape& at, MeasureFailure failure) {
    if (failure.kind == MeasureFailure::Kind::out_of_time) {
        result_.budget_spent = true;
        return false;
    }
    Standing& failed = standing(i);
    failed.fate = Fate::failed;
    failed.failure = std::move(failure);
    failed.failed_in = phase;
    failed.failed_at = at;
    // The best so far may have been this one; what it claimed no longer counts.
    if (best_ == i && best_ns_ != infinite) {
        best_ns_ = infinite;
        for (Index other = 0; other < result_.standings.size(); ++other) {
            const Standing& s = standing(other);
            if (s.fate != Fate::failed && !s.exploration.empty() && s.explored_ns() < best_ns_) {
                best_ns_ = s.explored_ns();
                best_ = other;
            }
        }
        restore_slow();
    }
    listener_.failed(failed);
    return false;
}

void ShapeTuner::decide(Index i, Fate fate, Phase phase, std::string_view verdict, std::string_view reason) {
    standing(i).fate = fate;
    listener_.decided(standing(i), phase, verdict, reason);
}

void ShapeTuner::report(Phase phase, std::size_t done, std::size_t total) {
    TuneProgress progress{phase, done, total, nullptr, 0, 0};
    if (best_ns_ != infinite) {
        progress.best = &standing(best_);
        progress.best_ns = best_ns_;
    }
    progress.left_ns = std::max<std::int64_t>(start_ns_ + settings_.budget_ns - measurer_.now_ns(), 0);
    listener_.progress(progress);
}

std::vector<ShapeTuner::Index> ShapeTuner::shuffled(std::vector<Index> indices) {
    // Fisher and Yates, written out: std::shuffle gives another order with another library.
    for (Index i = indices.size(); i > 1; --i)
        std::swap(indices[i - 1], indices[random_() % i]);
    return indices;
}

ShapeResult tune_shape(const GemmShape& shape, const Selection& selection, const TuneSettings& settings,
                       Measurer& measurer, TuneListener& listener) {
    return ShapeTuner(shape, selection, settings, measurer, listener).run();
}

} // namespace tune_gemm::host
