#include "tune/ranking.hpp"
#include "tune/shape_tuner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace tune_gemm::host {
namespace {

/// Fewer rounds than this say little; rather than that, fewer finalists.
constexpr std::int64_t few_rounds = 3;

} // namespace

std::int64_t ShapeTuner::confirm_cost(Index i) const {
    const auto ns = static_cast<std::int64_t>(result_.standings[i].explored_ns());
    // A warm-up and a batch; or one use that is long enough to be both.
    const bool single = ns >= own_warm_up * settings_.confirm_min_ns;
    return std::max(call_ns_[i], single ? ns : ns + std::max(ns, settings_.confirm_min_ns));
}

std::int64_t ShapeTuner::kept_for_confirmation() const {
    const auto most =
        static_cast<std::int64_t>(settings_.confirmation_share * static_cast<double>(settings_.budget_ns));
    std::vector<std::int64_t> costs;
    for (const Index i : with_fate(Fate::explored))
        costs.push_back(confirm_cost(i));
    const std::size_t finalists = std::min(costs.size(), settings_.finalists);
    std::partial_sort(costs.begin(), costs.begin() + static_cast<std::ptrdiff_t>(finalists), costs.end());
    // Each finalist, and one of them again; twice that, for what takes longer than foretold.
    double needed = 0;
    for (std::size_t i = 0; i < finalists; ++i)
        needed += static_cast<double>(costs[i]);
    if (finalists > 0)
        needed += static_cast<double>(costs[finalists - 1]);
    needed *= 2 * static_cast<double>(settings_.confirmation_samples);
    return needed < static_cast<double>(most) ? static_cast<std::int64_t>(needed) : most;
}

bool ShapeTuner::is_sound(Index i) const {
    return !settings_.first_ids.empty() && result_.standings[i].distinct.id == settings_.first_ids.front();
}

std::vector<ShapeTuner::Index> ShapeTuner::choose_finalists() {
    std::vector<Index> best = with_fate(Fate::explored);
    std::sort(best.begin(), best.end(), [&](Index x, Index y) {
        const double ns_x = standing(x).explored_ns(), ns_y = standing(y).explored_ns();
        return ns_x != ns_y ? ns_x < ns_y : standing(x).distinct.id < standing(y).distinct.id;
    });
    const auto sound = std::find_if(best.begin(), best.end(), [&](Index i) { return is_sound(i); });
    if (sound != best.end() && sound - best.begin() > 1)
        std::rotate(best.begin() + 1, sound, sound + 1);
    best.resize(std::min(best.size(), settings_.finalists));
    // As many as can be compared in the time that is left.
    const std::int64_t rounds = std::min(few_rounds, settings_.confirmation_samples);
    const std::int64_t left = deadline_of(Phase::confirm) - measurer_.now_ns();
    const auto needed = [&] {
        std::int64_t sum = 0, most = 0;
        for (const Index i : best) {
            sum += confirm_cost(i);
            most = std::max(most, confirm_cost(i));
        }
        return rounds * (sum + most);
    };
    while (best.size() > 2 && needed() > left) {
        best.pop_back();
        result_.budget_spent = true;
    }
    for (const Index i : best)
        decide(i, Fate::finalist, Phase::explore, "kept",
               fmt::format("{:.4g} ns when exploring", standing(i).explored_ns()));
    return best;
}

void ShapeTuner::confirm(const std::vector<Index>& finalists) {
    std::vector<Index> alive = finalists;
    const std::size_t total = finalists.size() * static_cast<std::size_t>(settings_.confirmation_samples);
    std::size_t done = 0;
    for (std::int64_t round = 0; round < settings_.confirmation_samples && alive.size() > 1; ++round) {
        std::int64_t cost = 0, most = 0;
        for (const Index i : alive) {
            cost += confirm_cost(i);
            most = std::max(most, confirm_cost(i));
        }
        // Whole rounds only, so that all are measured equally often, and time is kept for the winner's own
        // figure.
        const std::int64_t kept = most * (round < few_rounds ? 1 : few_rounds);
        if (measurer_.now_ns() + cost + kept > deadline_of(Phase::confirm)) {
            result_.budget_spent = true;
            break;
        }
        for (const Index i : shuffled(alive)) {
            report(Phase::confirm, done++, total);
            if (must_stop(Phase::confirm))
                return;
            take_sample(i, Phase::confirm, settings_.confirm_min_ns);
        }
        listener_.settled();
        std::erase_if(alive, [&](Index i) { return standing(i).fate == Fate::failed; });
    }
}

void ShapeTuner::choose_winner(const std::vector<Index>& finalists) {
    result_.winner.reset();
    result_.equivalent.clear();
    result_.finalists.clear();
    std::vector<Index> alive;
    for (const Index i : finalists)
        if (standing(i).fate != Fate::failed)
            alive.push_back(i);
    // Times of one kind only are ranked: those of confirmation, where there are any.
    const bool confirmed =
        std::any_of(alive.begin(), alive.end(), [&](Index i) { return !standing(i).confirmation.empty(); });
    if (confirmed)
        std::erase_if(alive, [&](Index i) { return standing(i).confirmation.empty(); });
    if (alive.empty())
        return;
    std::vector<Contender> contenders;
    for (const Index i : alive) {
        const Standing& s = standing(i);
        contenders.push_back({confirmed ? s.confirmed_ns() : s.explored_ns(), s.distinct.workspace_bytes,
                              s.distinct.id, is_sound(i)});
    }
    const Ranking ranking = rank_contenders(contenders, settings_.band);
    for (const std::size_t place : ranking.order)
        result_.finalists.push_back(alive[place]);
    for (const std::size_t place : ranking.equivalent)
        result_.equivalent.push_back(alive[place]);
    result_.winner = alive[ranking.winner];
    const Phase phase = confirmed ? Phase::confirm : Phase::explore;
    decide(*result_.winner, Fate::winner, phase, "winner",
           fmt::format("{:.4g} ns, {} others within {}", contenders[ranking.winner].median_ns,
                       ranking.equivalent.size(), percent_text(settings_.band)));
    for (const std::size_t place : ranking.equivalent)
        decide(alive[place], Fate::finalist, phase, "equivalent",
               fmt::format("{:.4g} ns, within {} of the smallest median", contenders[place].median_ns,
                           percent_text(settings_.band)));
}

bool ShapeTuner::publish() {
    const Index winner = *result_.winner;
    const auto total = static_cast<std::size_t>(settings_.confirmation_samples);
    for (std::size_t done = 0; done < total; ++done) {
        report(Phase::final, done, total);
        if (must_stop(Phase::final))
            break;
        if (measurer_.now_ns() + confirm_cost(winner) > deadline_of(Phase::final)) {
            result_.budget_spent = true;
            break;
        }
        if (!take_sample(winner, Phase::final, settings_.confirm_min_ns))
            break;
    }
    report(Phase::final, total, total);
    return standing(winner).fate != Fate::failed;
}

} // namespace tune_gemm::host
