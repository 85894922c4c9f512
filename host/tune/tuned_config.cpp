#include "tune/tuned_config.hpp"

#include "measure/clock.hpp"
#include "tune/repeat.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tune_gemm::host {
namespace {

json::array texts(const std::vector<std::string>& values) {
    json::array array;
    for (const std::string& value : values)
        array.emplace_back(value);
    return array;
}

std::int64_t whole(double ns) {
    return std::llround(ns);
}

json::object winner_json(const Standing& winner) {
    json::object object;
    object["id"] = winner.distinct.id;
    object["arithmetic"] = to_text(winner.distinct.arithmetic);
    object["workspace_bytes"] = winner.distinct.workspace_bytes;
    object["shared_by"] = texts(winner.distinct.asked);
    object["validated"] = validated_text(winner);
    return object;
}

/// Only fresh samples of the winner make a figure.
json::object published_json(const Standing& winner, double gflops) {
    const std::vector<double> times = times_of(winner.published);
    const double middle = median(times);
    const MedianInterval interval = median_interval(times);
    json::object object;
    object["median_ns"] = whole(middle);
    object["median_ns_exact"] = json::real(middle);
    object["interval_ns"] = json::array{whole(interval.low), whole(interval.high)};
    object["interval_coverage"] = fmt::format("{:.4f}", interval.coverage);
    object["median_absolute_deviation_ns"] = json::real(median_absolute_deviation(times));
    object["samples"] = winner.published.size();
    object["gflops"] = fmt::format("{:.4g}", gflops);
    return object;
}

json::object counts_json(const ShapeResult& result) {
    json::object counts;
    counts["asked"] = result.asked;
    counts["valid"] = result.valid;
    counts["distinct"] = result.standings.size();
    for (const Fate fate :
         {Fate::failed, Fate::slow, Fate::explored, Fate::finalist, Fate::winner, Fate::not_reached}) {
        const std::string_view name = to_text(fate);
        counts[json::string(name.data(), name.size())] = result.count(fate);
    }
    return counts;
}

json::array finalists_json(const ShapeResult& result) {
    json::array finalists;
    for (const std::size_t i : result.finalists) {
        const Standing& standing = result.standings[i];
        json::object object;
        object["id"] = standing.distinct.id;
        object["median_ns"] = whole(standing.best_known_ns());
        object["confirmation_samples"] = standing.confirmation.size();
        const bool equivalent =
            std::find(result.equivalent.begin(), result.equivalent.end(), i) != result.equivalent.end();
        object["verdict"] = i == result.winner ? "winner" : equivalent ? "equivalent" : "slower";
        finalists.push_back(std::move(object));
    }
    return finalists;
}

json::array failures_json(const ShapeResult& result, std::uint64_t seed, std::int64_t limit,
                          std::string_view plugin_words) {
    json::array failures;
    for (const Standing& standing : result.standings) {
        if (!standing.failure)
            continue;
        json::object object;
        object["id"] = standing.distinct.id;
        object["kind"] = to_text(standing.failure->kind);
        object["phase"] = to_text(standing.failed_in);
        object["shape"] = shape_text(standing.failed_at);
        object["sentence"] = standing.failure->sentence;
        object["repeat"] =
            repeat_command(standing.distinct.candidate, standing.failed_at, seed, limit, plugin_words);
        failures.push_back(std::move(object));
    }
    return failures;
}

json::array dropped_json(const ShapeResult& result) {
    json::array array;
    for (const Dropped& dropped : result.dropped) {
        json::object object;
        object["field"] = dropped.field;
        object["count"] = dropped.count;
        object["example"] = dropped.example;
        object["reason"] = dropped.reason;
        array.push_back(std::move(object));
    }
    return array;
}

} // namespace

json::object protocol_json(const TuneSettings& settings, const TimingScope& scope) {
    json::object object;
    object["timing_scope"] = to_text(scope);
    object["budget_ns"] = settings.budget_ns;
    object["explore_min_ns"] = settings.explore_min_ns;
    object["confirm_min_ns"] = settings.confirm_min_ns;
    object["exploration_samples"] = settings.exploration_samples;
    object["confirmation_samples"] = settings.confirmation_samples;
    object["finalists"] = settings.finalists;
    object["slow_factor"] = json::real(settings.slow_factor);
    object["band"] = json::real(settings.band);
    object["confirmation_share"] = json::real(settings.confirmation_share);
    object["clock_resolution_ns"] = clock_quality().resolution_ns;
    object["clock_cost_ns"] = whole(clock_quality().cost_ns);
    return object;
}

json::object result_json(const ShapeResult& result, std::size_t shape_index, std::uint64_t seed,
                         std::int64_t limit, std::string_view plugin_words) {
    json::object object;
    object["shape_index"] = shape_index;
    object["shape"] = shape_text(result.shape);
    object["layouts"] = layouts_text(result.shape);
    object["outcome"] = to_text(result.outcome);
    if (const Standing* winner = result.winning()) {
        object["winner"] = winner_json(*winner);
        if (!winner->published.empty())
            object["published"] = published_json(*winner, result.gflops());
    }
    object["budget_spent"] = result.budget_spent;
    object["elapsed_ns"] = result.elapsed_ns;
    object["counts"] = counts_json(result);
    object["finalists"] = finalists_json(result);
    object["dropped"] = dropped_json(result);
    object["failures"] = failures_json(result, seed, limit, plugin_words);
    return object;
}

GemmTuningConfig tuned_config(const GemmTuningConfig& asked, const std::vector<ShapeResult>& results,
                              const EnvironmentRecord& environment, const TuneSettings& settings,
                              bool interrupted) {
    GemmTuningConfig config = asked;
    json::object extra;
    if (asked.extra.is_object())
        extra = asked.extra.get_object();
    for (auto& [key, value] : environment_record_json(environment))
        extra[key] = value;
    const TimingScope scope =
        asked.candidates.empty() ? TimingScope{} : asked.candidates.front().timing_scope;
    extra["protocol"] = protocol_json(settings, scope);
    extra["interrupted"] = interrupted;
    json::array array;
    for (std::size_t i = 0; i < results.size(); ++i)
        array.push_back(result_json(results[i], i, asked.seed,
                                    static_cast<std::int64_t>(asked.max_workspace_bytes),
                                    settings.plugin_words));
    extra["results"] = std::move(array);
    config.extra = std::move(extra);
    return config;
}

} // namespace tune_gemm::host
