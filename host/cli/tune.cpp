// tune-gemm tune: from a list of problems to a validated, tuned, recorded result.
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/tune_report.hpp"
#include "report/visible.hpp"
#include "runtime/caches.hpp"
#include "runtime/registry.hpp"
#include "store/text_file.hpp"
#include "tune/interrupt.hpp"
#include "tune/run.hpp"
#include "tune/space.hpp"
#include "tune/tuned_config.hpp"
#include "tune/worker_measurer.hpp"

#include <tune_gemm/config.hpp>
#include <tune_gemm/validity.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <string>

namespace tune_gemm::host {
namespace {

struct TuneOptions {
    PluginOptions plugins;
    std::string config, shapes, shape, layouts, kernel = "auto";
    std::vector<std::string> candidates;
    tg_dtype dtype = TG_F64;
    Arithmetic arithmetic = Arithmetic::two_roundings; // as the default grid asks
    std::int64_t workspace_limit = tune_gemm::default_workspace_limit;
    double budget = 30;
    std::uint64_t seed = 42;
    std::int64_t explore = 1, confirm = 12;
    std::string out = "tuned.json", journal;
    bool json = false, quiet = false;
    // Whether an option was given, and so goes before what a file says.
    bool given_limit = false, given_seed = false, given_explore = false, given_confirm = false,
         given_kernel = false;
};

constexpr std::size_t largest_config = std::size_t{64} << 20;

GemmTuningConfig read_config(const std::string& path) {
    return parse_config(read_file(path, static_cast<std::int64_t>(largest_config)), path);
}

/// The candidates of a run: all of them, and those of each shape where these differ.
struct Candidates {
    std::vector<GemmCandidate> all;
    std::vector<std::vector<GemmCandidate>> of_shape;
};

/// The kernel's space, which for most kernels is another at each shape.
Candidates space_for(const KernelInfo& kernel, const std::vector<GemmShape>& shapes, std::int64_t limit) {
    Candidates candidates;
    if (has_default_grid(kernel)) {
        candidates.all = space_of(kernel, {}, {}, limit);
        return candidates;
    }
    std::set<std::string> ids;
    for (const GemmShape& shape : shapes) {
        candidates.of_shape.push_back(space_of(kernel, shape, cache_sizes(), limit));
        for (const GemmCandidate& candidate : candidates.of_shape.back())
            if (ids.insert(candidate_id(candidate)).second)
                candidates.all.push_back(candidate);
    }
    return candidates;
}

/// The candidates of the options: those named, else the kernel's space for the shapes.
Candidates candidates_of(const TuneOptions& options, const Registry& registry,
                         const std::vector<GemmShape>& shapes) {
    Candidates candidates;
    for (const std::string& id : options.candidates)
        candidates.all.push_back(parse_candidate_id(id));
    if (!candidates.all.empty()) {
        for (const GemmCandidate& candidate : candidates.all)
            select_kernel(registry,
                          candidate.microkernel_id); // unknown or unusable: an error here, not a count
        return candidates;
    }
    return space_for(select_kernel(registry, options.kernel).kernel, shapes, options.workspace_limit);
}

/// What a configuration says, or the options; its candidates only with --config.
GemmTuningConfig config_of(const TuneOptions& options) {
    GemmTuningConfig config;
    if (!options.config.empty()) {
        if (options.given_kernel || !options.candidates.empty())
            throw_bad_input(
                fmt::format("{} has candidates of its own; --kernel and --candidate go with --shape or "
                            "--shapes.",
                            options.config));
        config = read_config(options.config);
    } else {
        if (!options.shapes.empty()) {
            config = read_config(options.shapes);
        } else {
            GemmShape shape = parse_shape(options.shape);
            if (!options.layouts.empty())
                parse_layouts(options.layouts, shape);
            config.shapes = {shape};
        }
    }
    // The limit and the samples of a file belong to its candidates: with --shapes they do not count.
    const bool of_config = !options.config.empty();
    if (!of_config || options.given_limit)
        config.max_workspace_bytes = static_cast<std::uint64_t>(options.workspace_limit);
    if (!of_config || options.given_seed)
        config.seed = options.seed;
    if (!of_config || options.given_explore)
        config.exploration_samples = options.explore;
    if (!of_config || options.given_confirm)
        config.confirmation_samples = options.confirm;
    return config;
}

/// "x_tune_gemm".shapes[i].name, where a configuration has such names for all its shapes.
std::vector<std::string> names_of(const GemmTuningConfig& config) {
    std::vector<std::string> names(config.shapes.size());
    const json::object* extra = config.extra.if_object();
    const json::value* list = extra != nullptr ? extra->if_contains("shapes") : nullptr;
    if (list == nullptr || !list->is_array() || list->get_array().size() != names.size())
        return names;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const json::object* entry = list->get_array()[i].if_object();
        const json::value* name = entry != nullptr ? entry->if_contains("name") : nullptr;
        if (name != nullptr && name->is_string())
            names[i] = std::string(name->get_string());
    }
    return names;
}

/// For each shape what the cache model proposes for the first candidate's kernel, which counts where it is
/// among the candidates.
std::vector<std::vector<std::string>> proposed_ids(const GemmTuningConfig& config, const Registry& registry) {
    std::vector<std::vector<std::string>> ids(config.shapes.size());
    if (config.candidates.empty())
        return ids;
    const auto kernel = registry.catalogue.resolve(config.candidates.front().microkernel_id);
    for (std::size_t i = 0; kernel && i < ids.size(); ++i)
        for (const GemmCandidate& candidate :
             proposals_of(*kernel.value(), config.shapes[i], cache_sizes(),
                          static_cast<std::int64_t>(config.max_workspace_bytes)))
            ids[i].push_back(candidate_id(candidate));
    return ids;
}

TuneRequest request_of(const TuneOptions& options, const Registry& registry) {
    TuneRequest request;
    request.config = config_of(options);
    if (options.config.empty()) {
        Candidates candidates = candidates_of(options, registry, request.config.shapes);
        request.config.candidates = std::move(candidates.all);
        request.candidates = std::move(candidates.of_shape);
    }
    request.first_ids = proposed_ids(request.config, registry);
    request.settings.seed = request.config.seed;
    request.settings.exploration_samples = request.config.exploration_samples;
    request.settings.confirmation_samples = request.config.confirmation_samples;
    request.settings.budget_ns = std::llround(options.budget * 1e9);
    request.settings.plugin_words = options.plugins.words();
    request.out = options.out;
    request.journal =
        options.journal.empty() ? journal_beside(options.out) : std::filesystem::path(options.journal);
    return request;
}

WorkerMeasurerOptions measurer_options(const TuneRequest& request) {
    WorkerMeasurerOptions options;
    options.seed = request.config.seed;
    options.limit = static_cast<std::int64_t>(request.config.max_workspace_bytes);
    options.interrupted = InterruptGuard::interrupted;
    options.limits.interrupted = InterruptGuard::interrupted;
    // A candidate that hangs must not use up all the time of its shape.
    options.patience_ns = std::min(options.patience_ns, request.settings.budget_ns / 4);
    for (const GemmShape& shape : request.config.shapes)
        options.limits.memory_bytes =
            std::max(options.limits.memory_bytes, worker_memory_bytes(shape, sizeof(double)));
    return options;
}

int exit_code_of(const TuneRun& run) {
    if (run.interrupted)
        return 130;
    const bool all = std::all_of(run.results.begin(), run.results.end(), [](const ShapeResult& result) {
        return result.outcome == TuneOutcome::tuned;
    });
    return all ? 0 : 1;
}

std::string summary(const TuneRequest& request, const TuneRun& run) {
    const auto tuned = std::count_if(run.results.begin(), run.results.end(), [](const ShapeResult& result) {
        return result.outcome == TuneOutcome::tuned;
    });
    double seconds = 0;
    for (const ShapeResult& result : run.results)
        seconds += static_cast<double>(result.elapsed_ns) / 1e9;
    std::string text =
        fmt::format("{}{} of {} shapes tuned in {:.1f} s", run.interrupted ? "interrupted: " : "", tuned,
                    request.config.shapes.size(), seconds);
    if (run.written)
        text += fmt::format("; written to {}", request.out.string());
    else
        text += fmt::format("; {} is not written, for there is no winner", request.out.string());
    return text + fmt::format("; journal {}\n", request.journal.string());
}

int tune(const TuneOptions& options) {
    const Registry registry = open_registry_for(options.plugins, options.dtype, options.arithmetic);
    const TuneRequest request = request_of(options, registry);
    const TunePlan plan = plan_tuning(request, registry);
    for (const PluginInfo& plugin : plan.plugins)
        print_warnings(plugin);
    const std::vector<std::string> names = names_of(request.config);
    const std::size_t shapes = request.config.shapes.size();

    const InterruptGuard guard;
    WorkerMeasurer measurer(registry, measurer_options(request));
    Progress line;
    std::unique_ptr<TuneProgressLine> shown;
    const bool talks = !options.quiet && !options.json;
    TuneRunHooks hooks;
    hooks.begin_shape = [&](std::size_t i, const Selection&) -> TuneListener* {
        if (options.quiet)
            return nullptr;
        const GemmShape& shape = request.config.shapes[i];
        shown = std::make_unique<TuneProgressLine>(
            line, fmt::format("[{}/{}] {}", i + 1, shapes, names[i].empty() ? shape_text(shape) : names[i]),
            shape);
        return shown.get();
    };
    hooks.end_shape = [&](std::size_t i, const ShapeResult& result) {
        line.clear();
        if (talks && shapes > 1)
            std::fputs(fmt::format("[{}/{}] {}: {}\n", i + 1, shapes,
                                   visible(shape_title(result.shape, names[i])),
                                   visible(result_sentence(result)))
                           .c_str(),
                       stderr); // lost where standard error is closed, which is no reason to stop
    };
    const TuneRun run = run_tuning(request, plan, measurer, hooks);
    line.clear();

    if (options.json) {
        fmt::print("{}\n",
                   json::write_indented(config_object(tuned_config(
                       request.config, run.results, plan.environment, request.settings, run.interrupted))));
    } else if (talks) {
        if (!run.results.empty())
            fmt::print("{}\n", result_table(run.results, names));
        for (std::size_t i = 0; i < run.results.size(); ++i)
            fmt::print("{}",
                       visible(result_notes(run.results[i], names[i], request.config.seed,
                                            static_cast<std::int64_t>(request.config.max_workspace_bytes),
                                            options.budget, request.settings.plugin_words)));
        fmt::print("\n{}", visible(summary(request, run)));
    }
    return exit_code_of(run);
}

void add_problem_options(CLI::App& command, TuneOptions& options) {
    CLI::Option_group* const problems =
        command.add_option_group("Problems", "What to tune, exactly one of these");
    problems->add_option("--config", options.config, "Shapes and candidates of a configuration (mmkts_1)")
        ->type_name("FILE");
    problems
        ->add_option("--shapes", options.shapes,
                     "The shapes of a configuration, nothing else of it; candidates of --kernel")
        ->type_name("FILE");
    problems->add_option("--shape", options.shape, "One shape")->type_name("MxNxK[xBATCH]");
    problems->require_option(1);
    command
        .add_option("--layouts", options.layouts,
                    "Of A, B and C of --shape: r (row-major) or c (column-major)")
        ->type_name("rrr")
        ->excludes("--config")
        ->excludes("--shapes");
}

} // namespace

void add_tune_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<TuneOptions>();
    CLI::App* const command = app.add_subcommand("tune", "Tune shapes: validate, explore, confirm, record");
    command->footer("Examples:\n"
                    "  tune-gemm tune --shape 196x2304x256 --layouts crc --budget 60\n"
                    "  tune-gemm tune --shape 256x256x256 --plugin-path ./mine.so --kernel mine\n"
                    "  tune-gemm tune --config tuned.json     what was tuned before, again");
    add_problem_options(*command, *options);
    add_kernel_option(*command, options->kernel);
    command->add_option("--candidate", options->candidates, "Try this one only; may be repeated")
        ->type_name("ID")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
    add_dtype_option(*command, options->dtype);
    add_arithmetic_option(*command, options->arithmetic);
    add_workspace_limit_option(*command, options->workspace_limit);
    add_seconds_option(*command, "--budget", options->budget, 0.001, 1'000'000,
                       "For each shape, a hard deadline");
    add_seed_option(*command, options->seed);
    add_count_option(*command, "--explore", options->explore, 1, max_samples, "Samples of each candidate");
    add_count_option(*command, "--confirm", options->confirm, 1, max_samples,
                     "Fresh samples of each of the best, and of the winner again");
    command->add_option("--out", options->out, "The tuned configuration")
        ->type_name("FILE")
        ->capture_default_str();
    command
        ->add_option("--journal", options->journal, "Every observation, appended; default: beside the output")
        ->type_name("FILE");
    add_json_option(*command, options->json);
    command->add_flag("--quiet", options->quiet, "Print errors only");
    add_plugin_options(*command, options->plugins);
    command->callback([options, command, &exit_code] {
        options->given_limit = command->count("--workspace-limit") > 0;
        options->given_seed = command->count("--seed") > 0;
        options->given_explore = command->count("--explore") > 0;
        options->given_confirm = command->count("--confirm") > 0;
        options->given_kernel = command->count("--kernel") > 0;
        exit_code = tune(*options);
    });
}

} // namespace tune_gemm::host
