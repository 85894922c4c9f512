#include "tune/shape_tuner.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tune_gemm::host {

void ShapeTuner::explore() {
    for (std::int64_t round = 0; round < settings_.exploration_samples; ++round) {
        std::vector<Index> alive = shuffled(with_fate(round == 0 ? Fate::not_reached : Fate::explored));
        if (round == 0) {
            const auto first = std::find_if(alive.begin(), alive.end(), [&](Index i) {
                return standing(i).distinct.id == settings_.first_id;
            });
            if (first != alive.end())
                std::rotate(alive.begin(), first, first + 1);
        }
        Index done = 0;
        for (const Index i : alive) {
            report(Phase::explore, done++, alive.size());
            if (must_stop(Phase::explore))
                return;
            const bool judged = round > 0 || validate(i);
            if (judged && take_sample(i, Phase::explore, settings_.explore_min_ns)) {
                standing(i).fate = Fate::explored;
                drop_slow(i);
            }
            listener_.settled();
            // Out of time in the middle of a candidate: nothing further would fit either.
            if (result_.budget_spent)
                return;
        }
        report(Phase::explore, alive.size(), alive.size());
        // The best may have come late; those measured before it are held to it now.
        for (const Index i : alive)
            if (standing(i).fate == Fate::explored)
                drop_slow(i);
    }
}

bool ShapeTuner::validate(Index i) {
    for (const GemmShape& at : validation_shapes(result_.shape)) {
        if (must_stop(Phase::validate))
            return false;
        const auto measured =
            measurer_.validate(standing(i).distinct.candidate, at, deadline_of(Phase::validate));
        if (const auto* failure = std::get_if<MeasureFailure>(&measured))
            return fail(i, Phase::validate, at, *failure);
        const Judgement& judgement = std::get<Judgement>(measured);
        standing(i).validated.push_back(judgement);
        listener_.validated(standing(i), at, judgement);
        if (!judgement.correct)
            return fail(i, Phase::validate, at,
                        {MeasureFailure::Kind::wrong,
                         judgement.first ? to_text(*judgement.first) : "nothing could be compared"});
    }
    return true;
}

std::vector<ShapeTuner::Index> ShapeTuner::with_fate(Fate fate) const {
    std::vector<Index> indices;
    for (Index i = 0; i < result_.standings.size(); ++i)
        if (result_.standings[i].fate == fate)
            indices.push_back(i);
    return indices;
}

void ShapeTuner::restore_slow() {
    for (const Index i : with_fate(Fate::slow))
        if (standing(i).explored_ns() <= settings_.slow_factor * best_ns_)
            decide(i, Fate::explored, Phase::explore, "restored", "the best so far has failed");
}

void ShapeTuner::drop_slow(Index i) {
    const double ns = standing(i).explored_ns();
    if (ns > settings_.slow_factor * best_ns_)
        decide(
            i, Fate::slow, Phase::explore, "dropped",
            fmt::format("{:.4g} ns, {:.3g} times the best so far, {:.4g} ns", ns, ns / best_ns_, best_ns_));
}

} // namespace tune_gemm::host
