// tune-gemm check: does a kernel keep the contract?
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "conformance/runner.hpp"
#include "report/progress.hpp"
#include "report/table.hpp"
#include "report/units.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

namespace tune_gemm::host {
namespace {

struct CheckOptions {
    PluginOptions plugins;
    std::string what;
    std::string kernel;
    std::vector<std::string> only;
    std::uint64_t seed = 42;
    double time_limit = 0; ///< seconds; 0: each check's own
    bool list = false, json = false, in_process = false;
};

/// A plugin, and those of its kernels that are to be checked.
struct Subjects {
    PluginInfo plugin;
    std::vector<KernelInfo> kernels;
};

Subjects find_subjects(const CheckOptions& options) {
    Subjects found;
    if (!names_a_file(options.what)) {
        Selected selected = select_kernel(open_registry(options.plugins.registry()), options.what);
        found.plugin = std::move(selected.plugin);
        found.kernels = {std::move(selected.kernel)};
    } else {
        found.plugin = inspect_file(options.what, options.plugins.registry());
        found.kernels = found.plugin.kernels;
    }
    if (!options.kernel.empty()) {
        std::vector<std::string> known;
        for (const KernelInfo& kernel : found.kernels)
            known.push_back(kernel.id);
        std::erase_if(found.kernels, [&](const KernelInfo& kernel) { return kernel.id != options.kernel; });
        if (found.kernels.empty()) {
            throw_bad_input(fmt::format("{} holds no kernel \"{}\"; it holds {}.", options.what,
                                        options.kernel, fmt::join(known, ", ")));
        }
    }
    return found;
}

std::vector<const Check*> chosen_checks(const CheckOptions& options) {
    std::vector<const Check*> chosen;
    const auto add = [&](const Check* check) {
        if (std::find(chosen.begin(), chosen.end(), check) == chosen.end())
            chosen.push_back(check);
    };
    for (const std::string& text : options.only)
        for (const Check* check : select_checks(text))
            add(check);
    if (options.only.empty())
        for (const Check& check : all_checks())
            add(&check);
    return chosen;
}

std::string repeat_command(const CheckOptions& options, const Subjects& subjects, const CheckRecord& record) {
    const bool several = subjects.plugin.kernels.size() > 1 && names_a_file(options.what);
    return fmt::format("tune-gemm check {} --only {} --seed {}{}{}", shell_word(options.what),
                       record.check->id, options.seed, several ? " --kernel " + record.kernel : "",
                       options.plugins.words());
}

std::string list_text() {
    Table table({{"CHECK"}, {"SEVERITY"}, {"LIMIT", Align::right}, {"CONTRACT"}});
    for (const Check& check : all_checks()) {
        table.add_row({std::string(check.id), check.severity == Severity::must ? "must" : "should",
                       duration_text(static_cast<double>(check.limit.count()) * 1e6),
                       std::string(check.contract)});
    }
    return table.text();
}

json::value list_json() {
    json::array checks;
    for (const Check& check : all_checks()) {
        checks.push_back(json::object{{"check", check.id},
                                      {"group", group_of(check)},
                                      {"severity", check.severity == Severity::must ? "must" : "should"},
                                      {"limit_ms", check.limit.count()},
                                      {"contract", check.contract}});
    }
    return json::object{{"checks", std::move(checks)}};
}

/// The findings that need words, below the table.
std::string findings_text(const CheckOptions& options, const Subjects& subjects,
                          const std::vector<CheckRecord>& records) {
    std::string text;
    for (const CheckRecord& record : records) {
        const CheckStatus status = record.result.status;
        if (!is_failure(status) && status != CheckStatus::warn)
            continue;
        text +=
            fmt::format("\n{} {}{}{}\n  {}\n  contract: {}\n  repeat:   {}\n", to_text(status),
                        record.check->id, record.kernel.empty() ? "" : " of " + record.kernel,
                        record.tile_text.empty() ? "" : ", tile " + record.tile_text, record.result.sentence,
                        record.check->contract, repeat_command(options, subjects, record));
    }
    std::map<std::string, std::set<std::string_view>> skipped; // reason -> checks
    for (const CheckRecord& record : records)
        if (record.result.status == CheckStatus::skip)
            skipped[record.result.sentence].insert(record.check->id);
    for (const auto& [reason, checks] : skipped)
        text += fmt::format("\nskip {}\n  {}\n", fmt::join(checks, ", "), reason);
    return text;
}

std::string summary_line(const CheckTotals& totals) {
    std::string text =
        fmt::format("{} passed, {} failed, {} skipped", totals.passed, totals.failed, totals.skipped);
    if (totals.warned != 0)
        text += fmt::format(", {} with a warning", totals.warned);
    switch (exit_code_of(totals)) {
    case 0:
        return text + ".";
    case 77:
        return text + ": nothing could run, so nothing is proved.";
    default:
        return text + ": the kernel breaks the contract.";
    }
}

std::string human_text(const CheckOptions& options, const Subjects& subjects,
                       const std::vector<CheckRecord>& records) {
    FactList facts;
    facts.add("plugin", fmt::format("{} {}", subjects.plugin.name, subjects.plugin.version));
    facts.add("file", subjects.plugin.path.string());
    facts.add("SHA-256", subjects.plugin.sha256);
    for (const KernelInfo& kernel : subjects.kernels)
        facts.add("kernel", fmt::format("{} ({})", kernel.id, to_text(kernel.arithmetic)));
    facts.add("seed", std::to_string(options.seed));
    std::vector<Column> columns{
        {"CHECK"}, {"TILE"}, {"RESULT"}, {"CASES", Align::right}, {"TIME", Align::right}};
    const bool several = subjects.kernels.size() > 1;
    if (several)
        columns.insert(columns.begin(), {"KERNEL"});
    Table table(std::move(columns));
    for (const CheckRecord& record : records) {
        std::vector<std::string> row{
            std::string(record.check->id), record.tile_text.empty() ? "-" : record.tile_text,
            std::string(to_text(record.result.status)), std::to_string(record.result.cases),
            duration_text(static_cast<double>(record.ns))};
        if (several)
            row.insert(row.begin(), record.kernel);
        table.add_row(std::move(row));
    }
    return fmt::format("{}\n{}{}\n{}\n", facts.text(), table.text(),
                       findings_text(options, subjects, records), summary_line(totals_of(records)));
}

json::value records_json(const CheckOptions& options, const Subjects& subjects,
                         const std::vector<CheckRecord>& records) {
    json::array results;
    for (const CheckRecord& record : records) {
        json::object one{{"check", record.check->id},
                         {"group", group_of(*record.check)},
                         {"kernel", record.kernel},
                         {"tile", record.tile_text.empty() ? json::value() : json::value(record.tile_text)},
                         {"status", to_text(record.result.status)},
                         {"cases", record.result.cases},
                         {"ns", record.ns}};
        if (!record.result.sentence.empty())
            one["sentence"] = record.result.sentence;
        if (is_failure(record.result.status))
            one["repeat"] = repeat_command(options, subjects, record);
        results.push_back(std::move(one));
    }
    const CheckTotals totals = totals_of(records);
    return json::object{{"plugin", subjects.plugin.name},   {"path", subjects.plugin.path.string()},
                        {"sha256", subjects.plugin.sha256}, {"seed", std::to_string(options.seed)},
                        {"passed", totals.passed},          {"failed", totals.failed},
                        {"skipped", totals.skipped},        {"warned", totals.warned},
                        {"results", std::move(results)}};
}

int run_command(const CheckOptions& options) {
    if (options.list) {
        fmt::print("{}", options.json ? json::write_indented(list_json()) : list_text());
        return 0;
    }
    if (options.what.empty())
        throw_bad_input("A plugin file or the id of a kernel is needed: tune-gemm check FILE|ID.");
    RunnerOptions runner;
    runner.checks = chosen_checks(options);
    runner.seed = options.seed;
    runner.in_process = options.in_process;
    if (options.time_limit > 0)
        runner.limit = std::chrono::milliseconds(static_cast<std::int64_t>(options.time_limit * 1000));
    const Subjects subjects = find_subjects(options);

    Progress progress;
    ProgressState state;
    state.activity = "checking " + subjects.plugin.name;
    state.total = count_checks(subjects.kernels, runner);
    progress.show(state);
    const auto records = run_checks(subjects.plugin, subjects.kernels, runner, [&](const CheckRecord&) {
        ++state.done;
        progress.show(state);
    });
    progress.clear();
    fmt::print("{}", options.json ? json::write_indented(records_json(options, subjects, records))
                                  : human_text(options, subjects, records));
    return exit_code_of(totals_of(records));
}

} // namespace

void add_check_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<CheckOptions>();
    CLI::App* const command = app.add_subcommand("check", "Find out whether a kernel keeps the contract");
    command->add_option("what", options->what, "A file (./mine.so), or the id of a kernel")
        ->type_name("FILE|ID");
    command->add_option("--only", options->only, "Only this check, or this group of checks; may be repeated")
        ->type_name("CHECK")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command->add_option("--kernel", options->kernel, "Only this kernel of the file")->type_name("ID");
    add_seed_option(*command, options->seed);
    command->add_option("--time-limit", options->time_limit, "For each check, instead of its own limit")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.01, 86400.0));
    command->add_flag("--list", options->list, "Print the checks and what each enforces, and run none");
    command->add_flag("--in-process", options->in_process,
                      "Run in this process, without time limits, for use under a debugger");
    add_json_option(*command, options->json);
    add_plugin_options(*command, options->plugins);
    command->callback([options, &exit_code] { exit_code = run_command(*options); });
}

} // namespace tune_gemm::host
