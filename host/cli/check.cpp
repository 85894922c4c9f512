// tune-gemm check: does a kernel keep the contract?
#include "cli/check_report.hpp"
#include "cli/command.hpp"
#include "cli/kernel_text.hpp"
#include "cli/options.hpp"
#include "cli/watch.hpp"
#include "conformance/check_cache.hpp"
#include "conformance/runner.hpp"
#include "report/progress.hpp"
#include "report/table.hpp"
#include "report/units.hpp"
#include "report/visible.hpp"
#include "runtime/environment_record.hpp"
#include "store/atomic_file.hpp"
#include "tune/interrupt.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace tune_gemm::host {
namespace {

struct CheckOptions {
    PluginOptions plugins;
    std::string what;
    std::string kernel, tile;
    std::vector<std::string> only;
    std::uint64_t seed = 42;
    double time_limit = 0; ///< seconds; 0: each check's own
    std::int64_t jobs = std::max(allowed_processors(), 1);
    std::string junit; ///< a file; empty: none
    bool list = false, json = false, tap = false, in_process = false, no_cache = false, watch = false;
};

/// Sets the plugin, and those of its kernels that are to be checked.
void find_subjects(const CheckOptions& options, CheckReport& found) {
    if (!names_a_file(options.what)) {
        Selected selected = select_kernel(open_registry(options.plugins.registry()), options.what);
        found.plugin = std::move(selected.plugin);
        found.kernels = {std::move(selected.kernel)};
    } else {
        found.plugin = inspect_file(options.what, options.plugins.registry());
        found.kernels = found.plugin.kernels;
    }
    keep_kernel(found.kernels, options.kernel, options.what);
}

/// Throws when no kernel has the tile that was asked for.
void require_tile(const CheckOptions& options, const std::vector<KernelInfo>& kernels) {
    std::vector<std::string> known;
    for (const KernelInfo& kernel : kernels)
        for (const TileInfo& tile : kernel.tiles)
            if (const std::string name = tile_name(tile);
                std::find(known.begin(), known.end(), name) == known.end())
                known.push_back(name);
    if (std::find(known.begin(), known.end(), options.tile) == known.end())
        throw_bad_input(known.empty() ? fmt::format("{} has no tiles, so there is no tile \"{}\".",
                                                    options.what, options.tile)
                                      : fmt::format("{} has no tile \"{}\"; it has {}.", options.what,
                                                    options.tile, fmt::join(known, ", ")));
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

void require_sense(const CheckOptions& options) {
    if (options.what.empty())
        throw_bad_input("A plugin file or the id of a kernel is needed: tune-gemm check FILE|ID.");
    if (options.json && options.tap)
        throw_bad_input("--json and --tap both say what is printed; give one of them.");
    if (!options.watch)
        return;
    if (options.json || options.tap || !options.junit.empty())
        throw_bad_input(
            fmt::format("--watch prints a short report after each change, and {} is one report of "
                        "one run; leave one of the two out.",
                        options.json  ? "--json"
                        : options.tap ? "--tap"
                                      : "--junit"));
    if (options.in_process)
        throw_bad_input("--watch and --in-process: what a process has loaded once it does not load again; "
                        "leave one of the two out.");
    if (!names_a_file(options.what))
        throw_bad_input(fmt::format("--watch needs the file, not an id: tune-gemm check --watch "
                                    "./{}.so (or wherever it lies).",
                                    options.what));
}

/// Checks once. `total` is set as soon as it is known; fewer records mean that it was interrupted.
CheckReport checked(const CheckOptions& options, const std::function<bool()>& interrupted,
                    std::int64_t& total) {
    RunnerOptions runner;
    runner.checks = chosen_checks(options);
    runner.seed = options.seed;
    runner.tile = options.tile;
    runner.jobs = static_cast<int>(options.jobs);
    runner.in_process = options.in_process;
    runner.interrupted = interrupted;
    if (options.time_limit > 0)
        runner.limit = std::chrono::milliseconds(static_cast<std::int64_t>(options.time_limit * 1000));
    CheckReport report{options.what, options.plugins, options.seed, options.time_limit, {}, {}, {}};
    find_subjects(options, report);
    if (!options.tile.empty())
        require_tile(options, report.kernels);

    // A part of the table is asked for to look closer, so it is run.
    std::optional<CheckCache> cache;
    if (const auto folder = check_cache_folder();
        !options.no_cache && !folder.empty() && options.only.empty() && !runner.limit && !runner.in_process)
        runner.cache = &cache.emplace(folder, report.plugin, options.seed);

    Progress progress;
    ProgressState state;
    state.activity = "checking " + report.plugin.name;
    state.total = total = count_checks(report.kernels, runner);
    progress.show(state);
    report.records = run_checks(report.plugin, report.kernels, runner, [&](const CheckRecord&) {
        ++state.done;
        progress.show(state);
    });
    progress.clear();
    if (cache)
        for (const std::string& warning : cache->warnings())
            fmt::print(stderr, "warning: {}\n", visible(warning));
    return report;
}

int check_once(const CheckOptions& options) {
    if (!options.junit.empty())
        check_writable(options.junit);
    std::optional<InterruptGuard> guard;
    if (!options.in_process) // under a debugger Ctrl-C is the debugger's
        guard.emplace();
    std::int64_t total = 0;
    const CheckReport report = checked(
        options, [&] { return guard && InterruptGuard::interrupted(); }, total);
    const CheckTotals totals = totals_of(report.records);
    if (static_cast<std::int64_t>(report.records.size()) < total)
        throw Error(ErrorKind::interrupted,
                    fmt::format("Interrupted after {} of {} checks, of which {} failed; nothing is proved.",
                                report.records.size(), total, totals.failed));
    if (!options.junit.empty())
        write_atomically(options.junit, report_junit(report));
    fmt::print("{}", options.json  ? json::write_indented(report_json(report))
                     : options.tap ? report_tap(report)
                                   : visible(report_text(report)));
    if (!options.json && !options.tap && names_a_file(options.what))
        print_taken_ids(report.plugin, options.plugins);
    return exit_code_of(totals);
}

int check_watched(const CheckOptions& options) {
    return watch_file(options.what, [&](const std::function<bool()>& stopped) -> std::optional<WatchedRun> {
        std::int64_t total = 0;
        const CheckReport report = checked(options, stopped, total);
        if (static_cast<std::int64_t>(report.records.size()) < total)
            return {};
        return WatchedRun{short_report_text(report), exit_code_of(totals_of(report.records))};
    });
}

int run_command(const CheckOptions& options) {
    if (options.list) {
        fmt::print("{}", options.json ? json::write_indented(list_json()) : list_text());
        return 0;
    }
    require_sense(options);
    return options.watch ? check_watched(options) : check_once(options);
}

} // namespace

void add_check_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<CheckOptions>();
    CLI::App* const command = app.add_subcommand("check", "Find out whether a kernel keeps the contract");
    command->footer("Examples:\n"
                    "  tune-gemm check ./mine.so               every check\n"
                    "  tune-gemm check ./mine.so --only tail   one group of them\n"
                    "  tune-gemm check --watch ./mine.so       every check, whenever the file has changed");
    command->add_option("what", options->what, "A file (./mine.so), or the id of a kernel")
        ->type_name("FILE|ID");
    command->add_option("--only", options->only, "Only this check, or this group of checks; may be repeated")
        ->type_name("CHECK")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
    command->add_option("--kernel", options->kernel, "Only this kernel of the file")->type_name("ID");
    command
        ->add_option("--tile", options->tile,
                     "Only this tile, as the table has it: 8x24, or free for a free one")
        ->type_name("TILE");
    add_seed_option(*command, options->seed);
    add_seconds_option(*command, "--time-limit", options->time_limit, 0.01, 86400,
                       "For each check, instead of its own limit");
    add_count_option(*command, "--jobs", options->jobs, 1, 1024,
                     "How many checks run at once, each in a process of its own");
    command->add_option("--junit", options->junit, "Also write a JUnit XML file")->type_name("FILE");
    command->add_flag("--tap", options->tap, "Print TAP (Test Anything Protocol, version 14)");
    command->add_flag("--no-cache", options->no_cache, "Run everything afresh, and keep no results");
    command->add_flag("--watch", options->watch,
                      "Check again whenever the file changes, until Ctrl-C; prints the first failure only");
    command->add_flag("--list", options->list, "Print the checks and what each enforces, and run none");
    command->add_flag("--in-process", options->in_process,
                      "Run in this process, without time limits, for use under a debugger");
    add_json_option(*command, options->json);
    add_plugin_options(*command, options->plugins);
    command->callback([options, &exit_code] { exit_code = run_command(*options); });
}

} // namespace tune_gemm::host
