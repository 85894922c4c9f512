#include "tune/shape_tuner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace tune_gemm::host {

void ShapeTuner::explore() {
    if (!explore(promising(), true) || !explore(others(), true))
        return;
    for (std::int64_t round = 1; round < settings_.exploration_samples; ++round)
        if (!explore(shuffled(with_fate(Fate::explored)), false))
            return;
}

bool ShapeTuner::explore(const std::vector<Index>& alive, bool are_new) {
    const Index before = are_new ? result_.standings.size() - with_fate(Fate::not_reached).size() : 0;
    const Index total = are_new ? result_.standings.size() : alive.size();
    Index done = before;
    for (const Index i : alive) {
        report(Phase::explore, done++, total);
        if (must_stop(Phase::explore))
            return false;
        const bool judged = !are_new || validate(i);
        if (judged && take_sample(i, Phase::explore, settings_.explore_min_ns)) {
            standing(i).fate = Fate::explored;
            drop_slow(i);
        }
        listener_.settled();
        // Out of time in the middle of a candidate: nothing further would fit either.
        if (result_.budget_spent)
            return false;
    }
    report(Phase::explore, done, total);
    // The best may have come late; those measured before it are held to it now.
    for (const Index i : with_fate(Fate::explored))
        drop_slow(i);
    return true;
}

std::vector<ShapeTuner::Index> ShapeTuner::promising() {
    std::vector<Index> found;
    for (const std::string& id : settings_.first_ids)
        for (Index i = 0; i < result_.standings.size(); ++i)
            if (standing(i).distinct.id == id)
                found.push_back(i);
    return found;
}

std::vector<ShapeTuner::Index> ShapeTuner::others() {
    using Tile = std::tuple<std::string, std::int64_t, std::int64_t>;
    const auto tile_of = [&](Index i) {
        const GemmCandidate& candidate = standing(i).distinct.candidate;
        return Tile{candidate.microkernel_id, candidate.mr, candidate.nr};
    };
    std::map<Tile, double> best;
    for (Index i = 0; i < result_.standings.size(); ++i)
        if (!standing(i).exploration.empty()) {
            const double ns = standing(i).explored_ns();
            const auto [known, is_new] = best.try_emplace(tile_of(i), ns);
            known->second = std::min(known->second, ns);
        }
    const auto promise = [&](Index i) {
        const auto known = best.find(tile_of(i));
        return known == best.end() ? std::numeric_limits<double>::infinity() : known->second;
    };
    std::vector<Index> rest = shuffled(with_fate(Fate::not_reached));
    std::stable_sort(rest.begin(), rest.end(), [&](Index x, Index y) { return promise(x) < promise(y); });
    return rest;
}

bool ShapeTuner::validate(Index i) {
    for (const GemmShape& at : shapes_to_validate(standing(i).distinct, result_.shape)) {
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
