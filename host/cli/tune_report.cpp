#include "cli/tune_report.hpp"

#include "measure/statistics.hpp"
#include "report/table.hpp"
#include "report/units.hpp"
#include "tune/repeat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace tune_gemm::host {
namespace {

std::string_view activity_of(Phase phase) noexcept {
    switch (phase) {
    case Phase::validate:
    case Phase::explore:
        return "exploring";
    case Phase::confirm:
        return "confirming";
    case Phase::final:
        return "measuring the winner";
    }
    return "";
}

std::string interval_text(const Standing& winner) {
    const MedianInterval interval = median_interval(times_of(winner.published));
    return "±" + percent_text(interval.relative_half_width(winner.published_ns()));
}

std::string second_text(const ShapeResult& result) {
    if (!result.equivalent.empty())
        return fmt::format("{} equivalent", result.equivalent.size());
    const double ratio = result.second_over_first();
    return std::isnan(ratio) ? "-" : "+" + percent_text(ratio - 1);
}

/// Why there is no winner.
std::string none_text(const ShapeResult& result) {
    switch (result.outcome) {
    case TuneOutcome::all_failed:
        return fmt::format("none: all {} distinct candidates failed", result.standings.size());
    case TuneOutcome::no_time:
        if (const std::int64_t failed = result.count(Fate::failed); failed > 0)
            return fmt::format("none: all {} candidates that were tried failed", failed);
        return result.interrupted ? "none: interrupted before anything was measured"
                                  : "none: the budget ended before anything could be measured";
    case TuneOutcome::none_valid:
        return fmt::format("none: not one of {} candidates is valid here", result.asked);
    case TuneOutcome::tuned:
    case TuneOutcome::unconfirmed:
        break;
    }
    return "none";
}

/// Evidence that the published figure was taken on a busy machine.
std::string disturbance_text(const Standing& winner) {
    const auto disturbed =
        std::count_if(winner.published.begin(), winner.published.end(), [](const Sample& s) {
            return s.batch.disturbance.involuntary_switches > 0 || s.batch.disturbance.migrations > 0;
        });
    if (4 * disturbed <= static_cast<std::int64_t>(winner.published.size()))
        return {};
    return fmt::format("  disturbed: in {} of {} published samples the processor was taken away\n", disturbed,
                       winner.published.size());
}

/// "3 crashed, 1 wrong"
std::string failure_counts(const ShapeResult& result) {
    std::map<std::string_view, int> counts;
    for (const Standing& standing : result.standings)
        if (standing.failure)
            ++counts[to_text(standing.failure->kind)];
    std::string text;
    for (const auto& [kind, count] : counts)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, kind);
    return text;
}

/// Sentences of failures go on from "the worker" or stand alone; here a full stop follows anyway.
std::string_view without_stop(std::string_view sentence) {
    return sentence.ends_with('.') ? sentence.substr(0, sentence.size() - 1) : sentence;
}

std::string failures_text(const ShapeResult& result, std::uint64_t seed, std::int64_t limit,
                          std::string_view plugin_words) {
    const Standing* first = nullptr;
    for (const Standing& standing : result.standings)
        if (standing.failure && first == nullptr)
            first = &standing;
    if (first == nullptr)
        return {};
    return fmt::format(
        "  failed: {}. First {} at {}: {}.\n    repeat: {}\n", failure_counts(result), first->distinct.id,
        shape_text(first->failed_at), without_stop(first->failure->sentence),
        repeat_command(first->distinct.candidate, first->failed_at, seed, limit, plugin_words));
}

} // namespace

TuneProgressLine::TuneProgressLine(Progress& line, std::string title, const GemmShape& shape)
    : line_(line), title_(std::move(title)), shape_(shape) {}

void TuneProgressLine::progress(const TuneProgress& progress) {
    ProgressState state;
    state.activity = fmt::format("{} {}", title_, activity_of(progress.phase));
    state.done = static_cast<std::int64_t>(progress.done);
    state.total = static_cast<std::int64_t>(progress.total);
    if (progress.best != nullptr)
        state.best = fmt::format("{} GFLOP/s ({})", rate_text(gflops_of(shape_, progress.best_ns)),
                                 progress.best->distinct.id);
    state.seconds_left = static_cast<double>(progress.left_ns) / 1e9;
    line_.show(state);
}

std::string shape_title(const GemmShape& shape, const std::string& name) {
    const std::string text = shape_text(shape) + " " + layouts_text(shape);
    return name.empty() ? text : fmt::format("{} ({})", name, text);
}

std::string result_table(const std::vector<ShapeResult>& results, const std::vector<std::string>& names) {
    const bool named =
        std::any_of(names.begin(), names.end(), [](const auto& name) { return !name.empty(); });
    std::vector<Column> columns;
    if (named)
        columns.push_back({"name"});
    for (const Column& column : {Column{"shape"}, Column{"layouts"}, Column{"GFLOP/s", Align::right},
                                 Column{"interval", Align::right}, Column{"vs. second", Align::right},
                                 Column{"workspace", Align::right}, Column{"validated"}, Column{"winner"}})
        columns.push_back(column);
    Table table(columns);
    for (std::size_t i = 0; i < results.size(); ++i) {
        const ShapeResult& result = results[i];
        std::vector<std::string> row;
        if (named)
            row.push_back(i < names.size() ? names[i] : "");
        row.push_back(shape_text(result.shape));
        row.push_back(layouts_text(result.shape));
        if (const Standing* winner = result.winning()) {
            const bool published = !winner->published.empty();
            row.push_back(published ? rate_text(result.gflops()) : "unconfirmed");
            row.push_back(published ? interval_text(*winner) : "-");
            row.push_back(second_text(result));
            row.push_back(bytes_text(winner->distinct.workspace_bytes));
            row.push_back(validated_text(*winner));
            row.push_back(winner->distinct.id);
        } else {
            row.insert(row.end(), {"-", "-", "-", "-", "-", none_text(result)});
        }
        table.add_row(std::move(row));
    }
    return table.text();
}

std::string result_notes(const ShapeResult& result, const std::string& name, std::uint64_t seed,
                         std::int64_t limit, double budget_seconds, std::string_view plugin_words) {
    std::string text =
        fmt::format("{}: {} candidates, {} distinct; {} in {:.1f} s\n", shape_title(result.shape, name),
                    result.asked, result.standings.size(), result.interrupted ? "interrupted" : "done",
                    static_cast<double>(result.elapsed_ns) / 1e9);
    for (const Dropped& dropped : result.dropped)
        text += fmt::format("  not valid: {} for {}. First {}: {}\n", dropped.count, dropped.field,
                            dropped.example, dropped.reason);
    text += failures_text(result, seed, limit, plugin_words);
    if (const std::int64_t slow = result.count(Fate::slow); slow > 0)
        text += fmt::format("  dropped as slow after a first sample: {}\n", slow);
    if (const std::int64_t missed = result.count(Fate::not_reached); missed > 0)
        text +=
            fmt::format("  not reached: {} of {} ({})\n", missed, result.standings.size(),
                        result.interrupted ? "interrupted"
                                           : fmt::format("the budget is {:g} s a shape; --budget raises it",
                                                         budget_seconds));
    if (const Standing* winner = result.winning()) {
        text += disturbance_text(*winner);
        if (result.budget_spent && !result.interrupted)
            text += fmt::format(
                "  short of time: the winner was confirmed with {} samples and published with {}\n",
                winner->confirmation.size(), winner->published.size());
        if (!result.equivalent.empty())
            text += fmt::format("  equivalent to the fastest within {}: {} besides the winner, which is what "
                                "the model proposes, "
                                "or has the smallest workspace of them\n",
                                percent_text(TuneSettings{}.band), result.equivalent.size());
    }
    return text;
}

std::string result_sentence(const ShapeResult& result) {
    const Standing* winner = result.winning();
    if (winner == nullptr)
        return none_text(result);
    if (winner->published.empty())
        return "unconfirmed, " + winner->distinct.id;
    return fmt::format("{} GFLOP/s {}, {}", rate_text(result.gflops()), interval_text(*winner),
                       winner->distinct.id);
}

} // namespace tune_gemm::host
