// The table against other libraries: for each shape every kernel and every baseline in one run, beside the
// peak of fused multiply-adds. See docs/benchmarks.md.
#include "summary.hpp"

#include "report/progress.hpp"
#include "report/visible.hpp"
#include "runtime/caches.hpp"
#include "runtime/environment_record.hpp"
#include "store/atomic_file.hpp"
#include "store/text_file.hpp"
#include "tune/tuned_results.hpp"

#include <tune_gemm/config.hpp>
#include <tune_gemm/error.hpp>
#include <tune_gemm/model_candidate.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

using namespace tune_gemm;
using namespace tune_gemm::bench;

namespace {

/// Half a minute that shows most of what there is to see: cubes, tails just above a block, a batch, panels,
/// small k, large k, and a row.
constexpr const char* quick[] = {"8x8x8",       "16x16x16",    "32x32x32",     "64x64x64",    "65x65x65",
                                 "128x128x128", "256x256x256", "257x257x257",  "512x512x512", "8x8x8x1000",
                                 "1024x64x256", "64x1024x256", "1024x1024x32", "32x32x8192",  "1x2048x2048"};

struct Options {
    std::vector<std::string> files, shapes, kernels, candidates, baselines, plugin_paths;
    std::string layouts, dtype = "f64", tuned, json;
    ContestSettings settings;
    bool allow_unsafe_path = false;
};

struct Problem {
    GemmShape shape;
    std::string name;
};

std::string name_in(const GemmTuningConfig& config, std::size_t index) {
    const json::object* extra = config.extra.if_object();
    const json::value* list = extra != nullptr ? extra->if_contains("shapes") : nullptr;
    const json::array* entries = list != nullptr ? list->if_array() : nullptr;
    if (entries == nullptr || entries->size() != config.shapes.size())
        return {};
    const json::object* entry = (*entries)[index].if_object();
    const json::value* name = entry != nullptr ? entry->if_contains("name") : nullptr;
    return name != nullptr && name->is_string() ? std::string(name->get_string()) : std::string();
}

std::vector<Problem> problems_of(const Options& options) {
    std::vector<Problem> problems;
    constexpr std::int64_t largest_file = std::int64_t{64} << 20;
    for (const std::string& file : options.files) {
        const GemmTuningConfig config = parse_config(host::read_file(file, largest_file), file);
        for (std::size_t i = 0; i < config.shapes.size(); ++i)
            problems.push_back({config.shapes[i], name_in(config, i)});
    }
    std::vector<std::string> texts = options.shapes;
    if (texts.empty() && options.files.empty())
        texts.assign(std::begin(quick), std::end(quick));
    for (const std::string& text : texts) {
        GemmShape shape = parse_shape(text);
        if (!options.layouts.empty())
            parse_layouts(options.layouts, shape);
        problems.push_back({shape, {}});
    }
    if (problems.empty())
        throw_bad_input(fmt::format("{} has no shapes; there is nothing to measure.", options.files.front()));
    return problems;
}

/// Everyone is timed in repeated calls on buffers of its caller.
GemmCandidate timed_alike(GemmCandidate candidate) {
    candidate.timing_scope = {TimingScope::Kind::steady_state, 0};
    return candidate;
}

Chooser chooser_of(const Options& options, const host::TunedResults& tuned) {
    return [&options, &tuned](const Contestant& contestant, const GemmShape& shape) -> Outcome<Choice> {
        if (contestant.given)
            return Choice{timed_alike(*contestant.given), "given"};
        for (const GemmCandidate& winner : tuned.winners(shape))
            if (winner.microkernel_id == contestant.kernel.id)
                return Choice{timed_alike(winner), "tuned"};
        const auto model =
            model_candidate(contestant.kernel, shape, host::cache_sizes(), options.settings.workspace_limit);
        if (!model)
            return model.refusal();
        return Choice{timed_alike(model.value()), contestant.ours ? "model" : "its own"};
    };
}

/// A tuned result is used only where it holds.
host::TunedResults read_tuned(const Options& options, const std::vector<Contestant>& contestants) {
    if (options.tuned.empty())
        return {};
    host::TunedResults tuned(options.tuned);
    std::string why;
    for (const Contestant& contestant : contestants) {
        const auto here =
            host::collect_environment(contestant.sha256, static_cast<int>(options.settings.threads));
        why = tuned.difference(here.environment);
        if (contestant.ours && why.empty())
            return tuned;
    }
    throw_bad_input(fmt::format("{} was tuned elsewhere: {}. Tune again here.", options.tuned, why));
}

std::filesystem::path built(const char* relative) {
    return (host::executable_folder() / relative).lexically_normal();
}

/// The worker of this build, unless another is named.
void name_worker() {
    if (std::getenv("TUNE_GEMM_WORKER") == nullptr)
        ::setenv("TUNE_GEMM_WORKER", built("../../host/cli/tune-gemm-worker").c_str(), 1);
}

Report contest(const Options& options) {
    Report report;
    report.settings = options.settings;
    report.dtype = parse_dtype(options.dtype);
    if (report.dtype != TG_F64 && report.dtype != TG_F32)
        throw_bad_input(fmt::format("--dtype {} is not served; f64 and f32 are.", options.dtype));
    if (options.settings.scaling && options.settings.threads == 1)
        throw_bad_input("--scaling compares several threads with one, but --threads is 1. Ask for two at "
                        "least, for instance with --threads 2.");
    const std::vector<Problem> problems = problems_of(options);
    host::RegistryOptions places;
    places.plugin_paths.assign(options.plugin_paths.begin(), options.plugin_paths.end());
    places.allow_unsafe_path = options.allow_unsafe_path;
    places.auto_class = {report.dtype, TG_SEQUENTIAL, TG_FUSED};
    ContestantOptions wanted;
    wanted.dtype = report.dtype;
    wanted.threads = options.settings.threads;
    wanted.kernels = options.kernels;
    wanted.candidates = options.candidates;
    wanted.libraries.assign(options.baselines.begin(), options.baselines.end());
    wanted.by_path_plugin = built("by_path.so");
    std::vector<std::string> skipped;
    report.contestants = choose_contestants(host::open_registry(places), wanted, skipped);
    for (const Contestant& contestant : report.contestants)
        for (const std::string& line : contestant.said)
            fmt::print(stderr, "{}: {}\n", contestant.name, host::visible(line));
    for (const std::string& one : skipped)
        fmt::print("NOT RUN: {}\n", host::visible(one));
    if (std::none_of(report.contestants.begin(), report.contestants.end(),
                     [](const Contestant& one) { return one.ours; }))
        throw Error(ErrorKind::unavailable,
                    "No kernel of this project can be used here; tune-gemm list says why.");
    const host::TunedResults tuned = read_tuned(options, report.contestants);
    Contest rounds(report.contestants, options.settings, chooser_of(options, tuned));
    host::Progress line;
    for (const Problem& problem : problems) {
        line.show({.activity = shape_text(problem.shape),
                   .done = static_cast<std::int64_t>(report.shapes.size()),
                   .total = static_cast<std::int64_t>(problems.size()),
                   .best = {},
                   .seconds_left = -1});
        report.shapes.push_back(rounds.run(problem.shape, problem.name));
    }
    line.clear();
    return report;
}

void print(const Report& report) {
    fmt::print("{}, {} thread{}, medians of samples taken in turn; {}\n", dtype_text(report.dtype),
               report.settings.threads, report.settings.threads == 1 ? "" : "s",
               host::model_caches_text(host::cache_sizes()));
    fmt::print("of peak: of the FMA peak of the kernel's instructions in the same run; r: of the read "
               "bandwidth\n\n");
    fmt::print("{}\ngeometric means of the ratios\n\n{}{}\n{}", table_text(report), scaling_text(report),
               means_text(report), host::visible(absences_text(report)));
}

/// An option that may be given several times.
void add_repeated(CLI::App& app, const char* name, std::vector<std::string>& values, const char* description,
                  const char* type) {
    app.add_option(name, values, description)
        ->type_name(type)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_options(CLI::App& app, Options& options) {
    app.add_option("files", options.files, "Problem sets (mmkts_1), e.g. docs/shapes/cube.json");
    add_repeated(app, "--shape", options.shapes, "A shape; may be repeated", "MxNxK[xBATCH]");
    app.add_option("--layouts", options.layouts, "Of A, B and C of --shape and of the quick set")
        ->type_name("rrr");
    app.add_option("--dtype", options.dtype, "f64 or f32")->capture_default_str();
    app.add_option("--threads", options.settings.threads, "That a product may use")
        ->check(CLI::Range(1U, 1024U))
        ->capture_default_str();
    app.add_option("--seconds", options.settings.seconds, "For each shape; five rounds at least")
        ->check(CLI::Range(0.0, 3600.0))
        ->capture_default_str();
    app.add_flag("--scaling", options.settings.scaling,
                 "Besides, each kernel of ours with one thread, in the same rounds");
    app.add_flag("--cold", options.settings.cold, "Besides, with A and B that the caches have forgotten");
    add_repeated(app, "--kernel", options.kernels, "Only these ids; may be repeated", "ID");
    add_repeated(app, "--candidate", options.candidates, "A kernel with these very blocks; may be repeated",
                 "ID");
    add_repeated(app, "--baseline", options.baselines, "A BLAS given by its path; may be repeated",
                 "LIBRARY");
    app.add_option("--tuned", options.tuned, "What tune-gemm tune has found, instead of the cache model")
        ->type_name("FILE");
    app.add_option("--json", options.json, "Everything, every sample included")->type_name("FILE");
    app.add_option("--seed", options.settings.seed, "Of operands and of the order")->capture_default_str();
    add_repeated(app, "--plugin-path", options.plugin_paths, "Further folders or files of plugins",
                 "FOLDER|FILE");
    app.add_flag("--allow-unsafe-path", options.allow_unsafe_path, "Also plugins that others can write");
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Kernels of this project and other libraries side by side in one run");
    Options options;
    add_options(app, options);
    CLI11_PARSE(app, argc, argv);
    try {
        name_worker();
        if (!options.json.empty())
            host::check_writable(options.json);
        const Report report = contest(options);
        print(report);
        if (!options.json.empty())
            host::write_atomically(options.json, json::write_indented(report_json(report)) + "\n");
        return report.any_wrong() ? 1 : 0;
    } catch (const Error& error) {
        fmt::print(stderr, "versus: {}\n", host::visible(error.what()));
        return error.kind() == ErrorKind::bad_input ? 2 : error.kind() == ErrorKind::unavailable ? 77 : 1;
    }
}
