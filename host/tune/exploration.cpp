#include "tune/shape_tuner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace tune_gemm::host {

void ShapeTuner::explore() {
    std::vector<Index> alive(result_.standings.size());
    std::iota(alive.begin(), alive.end(), Index{0});
    for (std::int64_t round = 0; round < settings_.exploration_samples && !alive.empty(); ++round) {
        alive = shuffled(std::move(alive));
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
        std::erase_if(alive, [&](Index i) { return standing(i).fate != Fate::explored; });
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

void ShapeTuner::drop_slow(Index i) {
    const double ns = standing(i).explored_ns();
    if (ns > settings_.slow_factor * best_ns_)
        decide(
            i, Fate::slow, Phase::explore, "dropped",
            fmt::format("{:.4g} ns, {:.3g} times the best so far, {:.4g} ns", ns, ns / best_ns_, best_ns_));
}

} // namespace tune_gemm::host
