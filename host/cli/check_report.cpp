#include "cli/check_report.hpp"

#include "report/table.hpp"
#include "report/units.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace tune_gemm::host {
namespace {

/// The findings that need words, below the table.
std::string findings_text(const CheckReport& report) {
    std::string text;
    for (const CheckRecord& record : report.records) {
        const CheckStatus status = record.result.status;
        if (!is_failure(status) && status != CheckStatus::warn)
            continue;
        text += '\n' + finding_text(report, record);
    }
    std::map<std::string, std::set<std::string_view>> skipped; // reason -> checks
    for (const CheckRecord& record : report.records)
        if (record.result.status == CheckStatus::skip)
            skipped[record.result.sentence].insert(record.check->id);
    for (const auto& [reason, checks] : skipped)
        text += fmt::format("\nskip {}\n  {}\n", fmt::join(checks, ", "), reason);
    return text;
}

} // namespace

std::string summary_line(const CheckTotals& totals) {
    std::string text =
        fmt::format("{} passed, {} failed, {} skipped", totals.passed, totals.failed, totals.skipped);
    if (totals.warned != 0)
        text += fmt::format(", {} with a warning", totals.warned);
    switch (exit_code_of(totals)) {
    case 0:
        return text + ".";
    case 77:
        return text + (totals.passed == 0 ? ": nothing could run, so nothing is proved."
                                          : ": no check of a kernel could run, so nothing is proved of it.");
    default:
        return text + ": the kernel breaks the contract.";
    }
}

std::string finding_text(const CheckReport& report, const CheckRecord& record) {
    return fmt::format("{} {}{}{}\n  {}\n  contract: {}\n  see:      {}\n  repeat:   {}\n",
                       to_text(record.result.status), record.check->id,
                       record.kernel.empty() ? "" : " of " + record.kernel,
                       record.tile_text.empty() ? "" : ", tile " + record.tile_text, record.result.sentence,
                       record.check->contract, page_of(*record.check), repeat_command(report, record));
}

std::string repeat_command(const CheckReport& report, const CheckRecord& record) {
    const bool several = report.plugin.kernels.size() > 1 && names_a_file(report.what);
    return fmt::format("tune-gemm check {} --only {} --seed {}{}{}{}{}", shell_word(report.what),
                       record.check->id, report.seed,
                       several && !record.kernel.empty() ? " --kernel " + record.kernel : "",
                       record.tile_name.empty() ? "" : " --tile " + record.tile_name,
                       report.time_limit > 0 ? fmt::format(" --time-limit {}", report.time_limit) : "",
                       report.options.words());
}

std::string report_text(const CheckReport& report) {
    FactList facts;
    facts.add("plugin", fmt::format("{} {}", report.plugin.name, report.plugin.version));
    facts.add("file", report.plugin.path.string());
    facts.add("SHA-256", report.plugin.sha256);
    for (const KernelInfo& kernel : report.kernels)
        facts.add("kernel", fmt::format("{} ({})", kernel.id, to_text(kernel.arithmetic)));
    facts.add("seed", std::to_string(report.seed));
    std::vector<Column> columns{
        {"CHECK"}, {"TILE"}, {"RESULT"}, {"CASES", Align::right}, {"TIME", Align::right}};
    const bool several = report.kernels.size() > 1;
    if (several)
        columns.insert(columns.begin(), {"KERNEL"});
    Table table(std::move(columns));
    for (const CheckRecord& record : report.records) {
        std::vector<std::string> row{
            std::string(record.check->id), record.tile_text.empty() ? "-" : record.tile_text,
            std::string(to_text(record.result.status)), std::to_string(record.result.cases),
            record.cached ? "cached" : duration_text(static_cast<double>(record.ns))};
        if (several)
            row.insert(row.begin(), record.kernel.empty() ? "-" : record.kernel);
        table.add_row(std::move(row));
    }
    const auto cached = std::count_if(report.records.begin(), report.records.end(),
                                      [](const CheckRecord& record) { return record.cached; });
    const std::string note =
        cached == 0 ? ""
                    : fmt::format("\n{} of {} results are from an earlier run on this file; --no-cache runs "
                                  "everything afresh.\n",
                                  cached, report.records.size());
    return fmt::format("{}\n{}{}{}\n{}\n", facts.text(), table.text(), findings_text(report), note,
                       summary_line(totals_of(report.records)));
}

std::string short_report_text(const CheckReport& report) {
    std::string text = summary_line(totals_of(report.records)) + '\n';
    const CheckRecord* first = nullptr;
    std::set<std::string_view> others;
    for (const CheckRecord& record : report.records) {
        if (!is_failure(record.result.status))
            continue;
        if (first == nullptr)
            first = &record;
        else if (record.check != first->check)
            others.insert(record.check->id);
    }
    if (first == nullptr)
        return text;
    text += '\n' + finding_text(report, *first);
    text += fmt::format("  debug:    gdb --args {} --in-process\n", repeat_command(report, *first));
    if (!others.empty())
        text += fmt::format("\nAlso failed: {}.\n", fmt::join(others, ", "));
    return text;
}

json::value report_json(const CheckReport& report) {
    json::array results;
    for (const CheckRecord& record : report.records) {
        json::object one{{"check", record.check->id},
                         {"group", group_of(*record.check)},
                         {"kernel", record.kernel},
                         {"tile", record.tile_text.empty() ? json::value() : json::value(record.tile_text)},
                         {"status", to_text(record.result.status)},
                         {"cases", record.result.cases},
                         {"ns", record.ns},
                         {"cached", record.cached}};
        if (!record.result.sentence.empty())
            one["sentence"] = record.result.sentence;
        if (is_failure(record.result.status)) {
            one["see"] = page_of(*record.check);
            one["repeat"] = repeat_command(report, record);
        }
        results.push_back(std::move(one));
    }
    const CheckTotals totals = totals_of(report.records);
    return json::object{{"plugin", report.plugin.name},   {"path", report.plugin.path.string()},
                        {"sha256", report.plugin.sha256}, {"seed", std::to_string(report.seed)},
                        {"passed", totals.passed},        {"failed", totals.failed},
                        {"skipped", totals.skipped},      {"warned", totals.warned},
                        {"results", std::move(results)}};
}

} // namespace tune_gemm::host
