#include "summary.hpp"

#include "measure/statistics.hpp"
#include "report/table.hpp"
#include "report/units.hpp"
#include "runtime/environment_record.hpp"
#include "tune/result.hpp"

#include <tune_gemm/config.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace tune_gemm::bench {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

std::string ratio_text(double ratio) {
    return std::isnan(ratio) ? "-" : fmt::format("{:.3f}", ratio);
}

std::vector<std::size_t> baselines_of(const std::vector<Contestant>& contestants) {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < contestants.size(); ++i)
        if (!contestants[i].ours)
            indices.push_back(i);
    return indices;
}

double median_of(const Rate& rate) {
    return host::median(rate.samples);
}

/// The peak of the instruction set that the kernel names; NaN when it was not measured.
double peak_of(const Outcomes& outcomes, const Contestant& contestant, const Report& report) {
    const FmaLoop loop = fma_loop(report.dtype, contestant.kernel.cpu);
    for (const Rate& peak : outcomes.peaks)
        if (peak.name == loop.name)
            return median_of(peak);
    return none;
}

/// Share of the peak, or for a product of a matrix and a vector of the read bandwidth.
std::string share_text(const Outcomes& outcomes, std::size_t ours, const Report& report, double gflops) {
    if (std::isnan(gflops))
        return "-";
    if (outcomes.reading) {
        const double ns = 2 * static_cast<double>(multiply_adds(outcomes.shape)) / gflops;
        return fmt::format("{:.1f} % r", 100 * operand_bytes(outcomes.shape, report.dtype) / ns /
                                             median_of(*outcomes.reading));
    }
    const double peak = peak_of(outcomes, report.contestants[ours], report);
    return std::isnan(peak) ? "-" : fmt::format("{:.1f} %", 100 * gflops / peak);
}

/// How many times as fast as with one thread the kernel is; NaN when that was not measured.
double scaling_of(const Performance& performance) {
    if (!performance.absent.empty() || performance.warm.empty() || performance.alone.empty())
        return none;
    return host::median(performance.alone) / host::median(performance.warm);
}

/// Ratios of one kernel of ours over all shapes, to one baseline or to the best.
struct Series {
    double log_sum = 0, least = std::numeric_limits<double>::infinity();
    std::int64_t count = 0;

    void add(double ratio) {
        if (std::isnan(ratio))
            return;
        log_sum += std::log(ratio);
        least = std::min(least, ratio);
        ++count;
    }
    double mean() const { return count == 0 ? none : std::exp(log_sum / static_cast<double>(count)); }
    std::string text() const {
        return count == 0 ? "-" : fmt::format("{:.3f} (least {:.3f}, {} shapes)", mean(), least, count);
    }
};

/// The column's ratio: to a baseline, or with `other` beyond all contestants to the best.
double column_ratio(const Report& report, const Standing& standing, std::size_t ours, std::size_t other) {
    if (other < report.contestants.size())
        return standing.ratio(ours, other);
    const auto best = standing.best_baseline(report.contestants);
    return best ? standing.ratio(ours, *best) : none;
}

json::array reals(const std::vector<double>& values) {
    json::array array;
    for (const double value : values)
        array.emplace_back(json::real(value));
    return array;
}

json::object rate_json(const Rate& rate, const char* unit) {
    json::object object;
    object["name"] = rate.name;
    object["median"] = fmt::format("{:.4g}", median_of(rate));
    object["unit"] = unit;
    object["samples"] = reals(rate.samples);
    return object;
}

json::object times_json(const GemmShape& shape, const std::vector<double>& ns) {
    const double middle = host::median(ns);
    const host::MedianInterval interval = host::median_interval(ns);
    json::object object;
    object["median_ns"] = json::real(middle);
    object["interval_ns"] = json::array{json::real(interval.low), json::real(interval.high)};
    object["interval_coverage"] = fmt::format("{:.4f}", interval.coverage);
    object["gflops"] = fmt::format("{:.4g}", host::gflops_of(shape, middle));
    object["samples_ns"] = reals(ns);
    return object;
}

json::object shape_report(const Report& report, const Outcomes& outcomes) {
    json::object object;
    object["shape"] = shape_json(outcomes.shape);
    object["name"] = outcomes.name;
    object["rounds"] = outcomes.rounds;
    json::array peaks, results;
    for (const Rate& peak : outcomes.peaks)
        peaks.push_back(rate_json(peak, "GFLOP/s"));
    object["peaks"] = std::move(peaks);
    if (report.settings.scaling) {
        json::array alone;
        for (const Rate& peak : outcomes.peaks_alone)
            alone.push_back(rate_json(peak, "GFLOP/s"));
        object["peaks_with_one_thread"] = std::move(alone);
    }
    if (outcomes.reading)
        object["reading"] = rate_json(*outcomes.reading, "GB/s");
    for (std::size_t i = 0; i < outcomes.performances.size(); ++i) {
        const Performance& performance = outcomes.performances[i];
        json::object result;
        result["contestant"] = report.contestants[i].name;
        result["candidate"] = performance.candidate;
        result["candidate_from"] = performance.source;
        if (!performance.absent.empty())
            result["absent"] = performance.absent;
        result["wrong"] = performance.wrong;
        if (!performance.warm.empty())
            result["warm"] = times_json(outcomes.shape, performance.warm);
        if (!performance.cold.empty())
            result["cold"] = times_json(outcomes.shape, performance.cold);
        if (!performance.alone.empty())
            result["warm_with_one_thread"] = times_json(outcomes.shape, performance.alone);
        results.push_back(std::move(result));
    }
    object["results"] = std::move(results);
    return object;
}

} // namespace

double Standing::ratio(std::size_t ours, std::size_t other) const {
    return gflops[ours] / gflops[other];
}

std::optional<std::size_t> Standing::best_baseline(const std::vector<Contestant>& contestants) const {
    std::optional<std::size_t> best;
    for (const std::size_t i : baselines_of(contestants))
        if (!std::isnan(gflops[i]) && (!best || gflops[i] > gflops[*best]))
            best = i;
    return best;
}

Standing standing_of(const Outcomes& outcomes, bool cold) {
    Standing standing;
    for (const Performance& performance : outcomes.performances) {
        const std::vector<double>& ns = cold ? performance.cold : performance.warm;
        const bool counts = performance.absent.empty() && !ns.empty();
        standing.gflops.push_back(counts ? host::gflops_of(outcomes.shape, host::median(ns)) : none);
    }
    return standing;
}

bool Report::any_wrong() const {
    return std::any_of(shapes.begin(), shapes.end(), [](const Outcomes& outcomes) {
        return std::any_of(outcomes.performances.begin(), outcomes.performances.end(),
                           [](const Performance& performance) { return performance.wrong; });
    });
}

std::string table_text(const Report& report) {
    const std::vector<std::size_t> baselines = baselines_of(report.contestants);
    std::vector<host::Column> columns{{"shape"},
                                      {"layouts"},
                                      {"kernel"},
                                      {"operands"},
                                      {"GFLOP/s", host::Align::right},
                                      {"of peak", host::Align::right}};
    if (report.settings.scaling)
        columns.push_back({"/ 1 thread", host::Align::right});
    for (const std::size_t i : baselines)
        columns.push_back({"/ " + report.contestants[i].name, host::Align::right});
    columns.push_back({"/ best", host::Align::right});
    columns.push_back({"best"});
    host::Table table(std::move(columns));
    for (const Outcomes& outcomes : report.shapes) {
        for (const bool cold : {false, true}) {
            if (cold && !report.settings.cold)
                continue;
            const Standing standing = standing_of(outcomes, cold);
            const auto best = standing.best_baseline(report.contestants);
            for (std::size_t ours = 0; ours < report.contestants.size(); ++ours) {
                if (!report.contestants[ours].ours)
                    continue;
                const double gflops = standing.gflops[ours];
                std::vector<std::string> cells{shape_text(outcomes.shape),
                                               layouts_text(outcomes.shape),
                                               report.contestants[ours].name,
                                               cold ? "cold" : "warm",
                                               std::isnan(gflops) ? "-" : host::rate_text(gflops),
                                               share_text(outcomes, ours, report, gflops)};
                if (report.settings.scaling)
                    cells.push_back(ratio_text(cold ? none : scaling_of(outcomes.performances[ours])));
                for (const std::size_t i : baselines)
                    cells.push_back(ratio_text(standing.ratio(ours, i)));
                cells.push_back(ratio_text(best ? standing.ratio(ours, *best) : none));
                cells.push_back(best ? report.contestants[*best].name : "-");
                table.add_row(std::move(cells));
            }
        }
    }
    return table.text();
}

std::string scaling_text(const Report& report) {
    if (!report.settings.scaling || report.shapes.empty())
        return {};
    host::FactList facts;
    const auto add = [&](const std::string& name, const auto& scaling) {
        Series series;
        for (const Outcomes& outcomes : report.shapes)
            series.add(scaling(outcomes));
        facts.add(fmt::format("{}, {} threads / 1", name, report.settings.threads), series.text());
    };
    for (std::size_t i = 0; i < report.contestants.size(); ++i)
        if (report.contestants[i].ours)
            add(report.contestants[i].name,
                [i](const Outcomes& outcomes) { return scaling_of(outcomes.performances[i]); });
    for (std::size_t i = 0; i < report.shapes.front().peaks.size(); ++i)
        add("FMA peak, " + report.shapes.front().peaks[i].name, [i](const Outcomes& outcomes) {
            return median_of(outcomes.peaks[i]) / median_of(outcomes.peaks_alone[i]);
        });
    return facts.text() + "\n";
}

std::string means_text(const Report& report) {
    std::vector<std::size_t> others = baselines_of(report.contestants);
    if (others.empty())
        return "No baseline took part; there is nothing to compare with.\n";
    others.push_back(report.contestants.size()); // the best
    host::FactList facts;
    for (std::size_t ours = 0; ours < report.contestants.size(); ++ours) {
        if (!report.contestants[ours].ours)
            continue;
        for (const bool cold : {false, true}) {
            if (cold && !report.settings.cold)
                continue;
            for (const std::size_t other : others) {
                Series series;
                for (const Outcomes& outcomes : report.shapes)
                    series.add(column_ratio(report, standing_of(outcomes, cold), ours, other));
                facts.add(fmt::format("{} / {}{}", report.contestants[ours].name,
                                      other < report.contestants.size() ? report.contestants[other].name
                                                                        : "best of all",
                                      cold ? ", cold" : ""),
                          series.text());
            }
        }
    }
    return facts.text();
}

std::string absences_text(const Report& report) {
    std::map<std::string, std::string> shapes_of;
    for (const Outcomes& outcomes : report.shapes)
        for (std::size_t i = 0; i < outcomes.performances.size(); ++i) {
            const std::string& absent = outcomes.performances[i].absent;
            if (absent.empty())
                continue;
            std::string& shapes = shapes_of[fmt::format("{}: {}", report.contestants[i].name, absent)];
            shapes += (shapes.empty() ? "" : ", ") + shape_text(outcomes.shape);
        }
    std::string text;
    for (const auto& [sentence, shapes] : shapes_of)
        text += fmt::format("absent at {}: {}\n", shapes, sentence);
    return text;
}

json::object report_json(const Report& report) {
    json::object object = host::environment_record_json(
        host::collect_environment("", static_cast<int>(report.settings.threads)));
    object["schema_version"] = "tune_gemm_versus_1";
    object["dtype"] = std::string(dtype_text(report.dtype));
    object["threads"] = report.settings.threads;
    object["seed"] = std::to_string(report.settings.seed);
    object["sample_min_ns"] = report.settings.min_ns;
    json::array contestants, shapes;
    for (const Contestant& contestant : report.contestants) {
        json::object one;
        one["name"] = contestant.name;
        one["kernel"] = contestant.kernel.id;
        one["class"] = to_text(contestant.kernel.arithmetic);
        one["ours"] = contestant.ours;
        one["plugin"] = contestant.plugin.string();
        one["sha256"] = contestant.sha256;
        one["said"] = json::array(contestant.said.begin(), contestant.said.end());
        if (!contestant.library.empty())
            one["library"] = contestant.library.string();
        contestants.push_back(std::move(one));
    }
    for (const Outcomes& outcomes : report.shapes)
        shapes.push_back(shape_report(report, outcomes));
    object["contestants"] = std::move(contestants);
    object["shapes"] = std::move(shapes);
    return object;
}

} // namespace tune_gemm::bench
