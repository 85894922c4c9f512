// tune-gemm run: one product by one candidate, verified against the reference and timed.
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "measure/answers.hpp"
#include "measure/jobs.hpp"
#include "measure/specification.hpp"
#include "measure/statistics.hpp"
#include "report/progress.hpp"
#include "report/table.hpp"
#include "report/units.hpp"
#include "runtime/caches.hpp"
#include "runtime/environment_record.hpp"
#include "runtime/memory.hpp"
#include "runtime/registry.hpp"
#include "tune/interrupt.hpp"
#include "tune/repeat.hpp"
#include "tune/result.hpp"
#include "tune/tuned_results.hpp"
#include "tune/worker_measurer.hpp"
#include "worker/process.hpp"

#include <tune_gemm/checked.hpp>
#include <tune_gemm/model_candidate.hpp>
#include <tune_gemm/validity.hpp>

#include <fmt/format.h>

#include <chrono>
#include <limits>
#include <memory>
#include <optional>

namespace tune_gemm::host {
namespace {

struct RunOptions {
    PluginOptions plugins;
    std::string shape, layouts, candidate, tuned, kernel = "auto";
    tg_dtype dtype = TG_F64;
    Arithmetic arithmetic = Arithmetic::sequential;
    double alpha = 1, beta = 0;
    std::int64_t workspace_limit = tune_gemm::default_workspace_limit;
    std::uint64_t seed = 42;
    std::int64_t samples = 5;
    std::int64_t threads = 1;
    bool in_process = false, json = false;
    bool given_kernel = false, given_dtype = false, given_arithmetic = false;
};

/// What is run: everything judged before anything is allocated.
struct RunPlan {
    GemmShape shape;
    Selected selected;
    JobSpecification spec;
    std::string candidate_from; ///< "given", "tuned" or "model"
    std::string not_tuned;      ///< why --tuned gave nothing; empty when it did, or was not asked
};

/// A, B, C and the reference; with beta not 0 also the C that it begins with.
std::int64_t bytes_needed(const GemmShape& shape, const RunOptions& options, std::size_t size) {
    const double elements =
        static_cast<double>(matrix_length(shape, Operand::a)) +
        static_cast<double>(matrix_length(shape, Operand::b)) +
        (options.beta == 0 ? 2 : 3) * static_cast<double>(matrix_length(shape, Operand::c));
    const double bytes = elements * static_cast<double>(size);
    return bytes < 9e18 ? static_cast<std::int64_t>(bytes) : std::numeric_limits<std::int64_t>::max();
}

/// The kernel of that type which the same plugin has, as a suggestion; "" if it has none.
std::string sister_text(const PluginInfo& plugin, tg_dtype dtype) {
    for (const KernelInfo& kernel : plugin.kernels)
        if (kernel.arithmetic.dtype == dtype)
            return fmt::format(" {} of the same plugin does that.", kernel.id);
    return {};
}

/// A named candidate may say `auto`, as those of the default grid do, and means the default grid's class.
Arithmetic asked_arithmetic(const RunOptions& options) {
    const bool named = !options.candidate.empty() || options.kernel != "auto";
    return named && !options.given_arithmetic ? Arithmetic::two_roundings : options.arithmetic;
}

GemmCandidate untuned_candidate(const RunOptions& options, const RunPlan& plan) {
    auto candidate =
        model_candidate(plan.selected.kernel, plan.shape, cache_sizes(), options.workspace_limit);
    if (!candidate)
        throw_bad_input(fmt::format("The kernel {} cannot serve {}, layouts {}: {}", plan.selected.kernel.id,
                                    shape_text(plan.shape), layouts_text(plan.shape),
                                    candidate.refusal().reason));
    return std::move(candidate.value());
}

/// Whether `auto`, or the id that was named, may become this kernel.
bool may_become(const KernelInfo& kernel, const RunOptions& options, const ArithmeticClass& auto_class) {
    if (options.kernel != "auto")
        return kernel.id == options.kernel;
    if (options.arithmetic == Arithmetic::sequential)
        return kernel.arithmetic.dtype == options.dtype && kernel.arithmetic.order == TG_SEQUENTIAL;
    return kernel.arithmetic == auto_class;
}

/// The tuned candidate for this shape, with its kernel selected; nothing, and why, when none holds here.
std::optional<GemmCandidate> tuned_candidate(const RunOptions& options, const Registry& registry,
                                             RunPlan& plan) {
    const TunedResults tuned(options.tuned);
    plan.not_tuned = fmt::format(
        "{} has no result for {}, layouts {}, by {}.", options.tuned, shape_text(plan.shape),
        layouts_text(plan.shape),
        options.kernel == "auto" ? "a kernel of the class asked for that is usable here" : options.kernel);
    for (const GemmCandidate& winner : tuned.winners(plan.shape)) {
        const auto kernel = registry.catalogue.resolve(winner.microkernel_id);
        if (!kernel || !may_become(*kernel.value(), options, registry.catalogue.auto_class))
            continue;
        const PluginInfo& plugin = registry.plugin_of(*kernel.value());
        const auto here = collect_environment(plugin.sha256, static_cast<int>(options.threads));
        const std::string difference = tuned.difference(here.environment);
        if (difference.empty()) {
            plan.selected = {*kernel.value(), plugin};
            plan.not_tuned.clear();
            return winner;
        }
        plan.not_tuned = fmt::format("the result of {} for {} does not hold here: {}.", options.tuned,
                                     shape_text(plan.shape), difference);
    }
    return std::nullopt;
}

RunPlan plan_run(const RunOptions& options) {
    RunPlan plan;
    plan.shape = parse_shape(options.shape);
    if (!options.layouts.empty())
        parse_layouts(options.layouts, plan.shape);
    const Registry registry = open_registry_for(options.plugins, options.dtype, asked_arithmetic(options));
    GemmCandidate candidate;
    plan.candidate_from = "given";
    if (options.candidate.empty()) {
        std::optional<GemmCandidate> tuned;
        if (!options.tuned.empty())
            tuned = tuned_candidate(options, registry, plan);
        if (!tuned)
            plan.selected = select_kernel(registry, options.kernel);
        plan.candidate_from = tuned ? "tuned" : "model";
        candidate = tuned ? *tuned : untuned_candidate(options, plan);
    } else {
        candidate = parse_candidate_id(options.candidate);
        if (options.given_kernel && options.kernel != candidate.microkernel_id)
            throw_bad_input(
                fmt::format("--kernel {} and the kernel {} of the candidate are not the same; name one.",
                            options.kernel, candidate.microkernel_id));
        plan.selected = select_kernel(registry, candidate.microkernel_id);
        candidate.microkernel_id = plan.selected.kernel.id;
    }
    const ArithmeticClass& arithmetic = plan.selected.kernel.arithmetic;
    if (options.given_dtype && arithmetic.dtype != options.dtype)
        throw_bad_input(fmt::format("dtype {} was asked for, but the kernel {} works on {}.{}",
                                    dtype_text(options.dtype), plan.selected.kernel.id,
                                    dtype_text(arithmetic.dtype),
                                    sister_text(plan.selected.plugin, options.dtype)));
    if (const Validity valid =
            candidate_valid_for_shape(candidate, plan.shape, options.workspace_limit, registry.catalogue);
        !valid)
        throw_bad_input(fmt::format("The candidate {} is not valid for {}: {}: {}", candidate_id(candidate),
                                    shape_text(plan.shape), valid.field, valid.reason));
    require_memory(bytes_needed(plan.shape, options, element_size(arithmetic.dtype)),
                   fmt::format("A, B, C and the reference of {}", shape_text(plan.shape)));
    // The limit is a thread's; the product is held to that of all of them.
    const auto limit = checked_multiply(options.workspace_limit, options.threads);
    plan.spec = {plan.selected.plugin.path,
                 plan.selected.plugin.sha256,
                 candidate,
                 plan.shape,
                 options.seed,
                 limit.value_or(std::numeric_limits<std::int64_t>::max()),
                 options.threads};
    return plan;
}

std::string repeat_text(const RunPlan& plan, const RunOptions& options) {
    std::string command =
        repeat_command(plan.spec.candidate, plan.shape, options.seed, options.workspace_limit);
    if (options.alpha != 1)
        command += fmt::format(" --alpha {}", options.alpha);
    if (options.beta != 0)
        command += fmt::format(" --beta {}", options.beta);
    if (options.threads != 1)
        command += fmt::format(" --threads {}", options.threads);
    return command + options.plugins.words();
}

Multiplied multiply(const RunPlan& plan, const RunOptions& options) {
    json::object request = specification_json(plan.spec);
    request["alpha"] = json::real(options.alpha);
    request["beta"] = json::real(options.beta);
    request["samples"] = options.samples;
    request["min_ns"] = confirm_min_ns;
    const json::value sent = std::move(request);
    if (options.in_process) {
        const json::value answer = multiply_job(json::Field(sent, "the request"));
        return parse_multiplied(json::Field(answer, "the answer"));
    }
    WorkerLimits limits;
    // Each helper maps a stack, and the C library an arena for it, whether they are used or not.
    constexpr std::int64_t thread_bytes = std::int64_t{256} << 20;
    limits.memory_bytes =
        worker_memory_bytes(plan.shape, sizeof(double)) + (options.threads - 1) * thread_bytes;
    Progress line;
    const auto begun = std::chrono::steady_clock::now();
    limits.interrupted = [&] { // asked several times a second, so that the line shows the time as well
        const auto waited =
            std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begun);
        ProgressState state;
        state.activity = fmt::format("{} by {}, seconds", shape_text(plan.shape), plan.selected.kernel.id);
        state.done = waited.count();
        if (state.done >= 2)
            line.show(state);
        return InterruptGuard::interrupted();
    };
    const std::int64_t patience = call_patience_ns(plan.shape, 2 + 2 * static_cast<double>(options.samples),
                                                   options.samples * confirm_min_ns);
    WorkerAnswer answer =
        call_once("multiply", sent, std::chrono::milliseconds(patience / 1'000'000), limits);
    if (answer.failure && InterruptGuard::interrupted())
        throw Error(ErrorKind::interrupted,
                    "Interrupted before the product was there; nothing was found out.");
    if (answer.failure) {
        const std::string output = answer.failure->output.empty()
                                       ? std::string()
                                       : fmt::format(" It printed: {}", answer.failure->output);
        throw Error(ErrorKind::failed,
                    fmt::format("The worker that ran {} at {} {}.{}\n  repeat in a debugger: {} --in-process",
                                plan.selected.kernel.id, shape_text(plan.shape), answer.failure->sentence,
                                output, repeat_text(plan, options)));
    }
    return parse_multiplied(json::Field(*answer.value, "the worker's answer"));
}

std::string access_words(const AccessPlan& access) {
    std::string text = access.packed_a && access.packed_b ? "A and B packed"
                       : access.packed_a                  ? "A packed"
                       : access.packed_b                  ? "B packed"
                                                          : "nothing packed";
    if (access.swapped)
        text += ", swapped (C^T = B^T A^T; A and B are the kernel's)";
    if (access.staged_c)
        text += ", C staged";
    return text;
}

std::string verdict_text(const Judgement& judgement, const ArithmeticClass& arithmetic) {
    if (judgement.correct)
        return fmt::format("{}, {}", compared_text(judgement),
                           arithmetic.order == TG_SEQUENTIAL ? "equal bit for bit" : "within the bound");
    return fmt::format("WRONG: {} of {}{}{}", judgement.wrong, compared_text(judgement),
                       judgement.first ? "; " : "", judgement.first ? to_text(*judgement.first) : "");
}

/// The judgement of the product and of all timed runs.
bool all_correct(const Multiplied& multiplied) {
    bool correct = multiplied.judgement.correct;
    for (const Sample& sample : multiplied.samples)
        correct = correct && sample.judgement.correct && sample.impossible.empty();
    return correct;
}

std::string human_text(const RunPlan& plan, const RunOptions& options, const Multiplied& multiplied) {
    const Resolution& resolution = multiplied.resolution;
    const Judgement& judgement = multiplied.judgement;
    FactList facts;
    facts.add("shape", fmt::format("{}, layouts {}", shape_text(plan.shape), layouts_text(plan.shape)));
    if (options.alpha != 1 || options.beta != 0)
        facts.add("product", fmt::format("C := {}*A*B + {}*C", options.alpha, options.beta));
    facts.add("candidate", candidate_id(resolution.candidate));
    if (plan.candidate_from == "tuned")
        facts.add("chosen by", fmt::format("tuning: {}", options.tuned));
    if (plan.candidate_from == "model")
        facts.add("chosen by", fmt::format("the cache model, untuned: {}", model_caches_text(cache_sizes())));
    if (!plan.not_tuned.empty())
        facts.add("not tuned", plan.not_tuned);
    facts.add("arithmetic", to_text(resolution.arithmetic));
    facts.add("operands", access_words(resolution.access));
    if (options.threads != 1)
        facts.add("threads",
                  fmt::format("{} at most, of {} processors", options.threads, allowed_processors()));
    facts.add("workspace",
              fmt::format("{} of {} allowed{}",
                          bytes_text(workspace_bytes(resolution.candidate,
                                                     element_size(resolution.arithmetic.dtype))),
                          bytes_text(options.workspace_limit), options.threads != 1 ? ", each thread" : ""));
    facts.add("plugin", plan.spec.plugin.string());
    for (const std::string& line : plan.selected.plugin.said)
        if (!line.starts_with("warning: ")) // which is on standard error
            facts.add("  says", line);
    facts.add("verified", verdict_text(judgement, resolution.arithmetic));
    facts.add("error", fmt::format("{:.3g}, allowed {:.3g}", judgement.max_abs_error, judgement.bound));
    for (const Sample& sample : multiplied.samples) {
        if (!sample.judgement.correct)
            facts.add("timed run", verdict_text(sample.judgement, resolution.arithmetic));
        if (!sample.impossible.empty())
            facts.add("timed run", "IMPOSSIBLE: " + sample.impossible);
    }
    if (!multiplied.samples.empty() && all_correct(multiplied)) {
        const std::vector<double> times = times_of(multiplied.samples);
        const double middle = median(times);
        facts.add("time", fmt::format("{} ({}, median of {}, ±{})", duration_text(middle),
                                      to_text(resolution.candidate.timing_scope), times.size(),
                                      percent_text(median_interval(times).relative_half_width(middle))));
        facts.add("rate", fmt::format("{} GFLOP/s", rate_text(gflops_of(plan.shape, middle))));
    }
    return facts.text();
}

json::object answer_json(const RunPlan& plan, const RunOptions& options, const Multiplied& multiplied) {
    json::object object = multiplied_json(multiplied);
    object["shape"] = shape_json(plan.shape);
    object["alpha"] = json::real(options.alpha);
    object["beta"] = json::real(options.beta);
    object["seed"] = std::to_string(options.seed);
    object["candidate_from"] = plan.candidate_from;
    if (!plan.not_tuned.empty())
        object["not_tuned"] = plan.not_tuned;
    object["threads"] = options.threads;
    object["class"] = to_text(multiplied.resolution.arithmetic);
    object["plugin"] = plan.spec.plugin.string();
    object["sha256"] = plan.spec.sha256;
    object["said"] = json::array(plan.selected.plugin.said.begin(), plan.selected.plugin.said.end());
    object["correct"] = all_correct(multiplied);
    if (!multiplied.samples.empty() && all_correct(multiplied)) {
        const double middle = median(times_of(multiplied.samples));
        object["median_ns"] = json::real(middle);
        object["gflops"] = fmt::format("{:.4g}", gflops_of(plan.shape, middle));
    }
    return object;
}

int run(const RunOptions& options) {
    std::optional<InterruptGuard> guard;
    if (!options.in_process) // under a debugger Ctrl-C is the debugger's
        guard.emplace();
    const RunPlan plan = plan_run(options);
    print_warnings(plan.selected.plugin);
    const Multiplied multiplied = multiply(plan, options);
    if (options.json)
        fmt::print("{}\n", json::write_indented(answer_json(plan, options, multiplied)));
    else
        fmt::print("{}", human_text(plan, options, multiplied));
    if (all_correct(multiplied))
        return 0;
    std::fputs(
        fmt::format("tune-gemm: The product is wrong. Repeat: {}\n", repeat_text(plan, options)).c_str(),
        stderr);
    return 1;
}

} // namespace

void add_run_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<RunOptions>();
    CLI::App* const command =
        app.add_subcommand("run", "Multiply once: verify against the reference, and time");
    command->add_option("--shape", options->shape, "C of MxN, inner dimension K")
        ->type_name("MxNxK[xBATCH]")
        ->required();
    command->add_option("--layouts", options->layouts, "Of A, B and C: r (row-major) or c (column-major)")
        ->type_name("rrr");
    command
        ->add_option("--candidate", options->candidate,
                     "A full id; default: tile and blocks of the cache model")
        ->type_name("ID");
    command
        ->add_option("--tuned", options->tuned,
                     "What tune has written: its result for this shape, if it holds here")
        ->type_name("FILE")
        ->excludes("--candidate");
    add_kernel_option(*command, options->kernel);
    add_dtype_option(*command, options->dtype);
    add_arithmetic_option(*command, options->arithmetic);
    add_factor_option(*command, "--alpha", options->alpha, "C := alpha*A*B + beta*C");
    add_factor_option(*command, "--beta", options->beta, "Factor of C; at 0 it is only written");
    add_count_option(*command, "--samples", options->samples, 0, 100'000, "Timed batches; 0: verify only");
    add_count_option(*command, "--threads", options->threads, 1, 1024, "That the product may use");
    add_workspace_limit_option(*command, options->workspace_limit);
    add_seed_option(*command, options->seed);
    command->add_flag("--in-process", options->in_process, "Without a worker, for debuggers");
    add_json_option(*command, options->json);
    add_plugin_options(*command, options->plugins);
    command->callback([options, command, &exit_code] {
        options->given_kernel = command->count("--kernel") > 0;
        options->given_dtype = command->count("--dtype") > 0;
        options->given_arithmetic = command->count("--arithmetic") > 0;
        exit_code = run(*options);
    });
}

} // namespace tune_gemm::host
