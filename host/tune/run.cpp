#include "tune/run.hpp"

#include "runtime/memory.hpp"
#include "store/atomic_file.hpp"
#include "tune/journal_listener.hpp"
#include "tune/storing.hpp"
#include "tune/tuned_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace tune_gemm::host {
namespace {

std::int64_t limit_of(const GemmTuningConfig& config) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return static_cast<std::int64_t>(std::min(config.max_workspace_bytes, most));
}

/// Operands and the result, and besides the reference that the result is compared with.
void require_operands_fit(const GemmShape& shape, std::size_t element_size) {
    const double elements = static_cast<double>(matrix_length(shape, Operand::a)) +
                            static_cast<double>(matrix_length(shape, Operand::b)) +
                            2 * static_cast<double>(matrix_length(shape, Operand::c));
    const double bytes = elements * static_cast<double>(element_size);
    constexpr double most = 9e18;
    require_memory(bytes < most ? static_cast<std::int64_t>(bytes) : std::numeric_limits<std::int64_t>::max(),
                   fmt::format("A, B, C and the reference of {}", shape_text(shape)));
}

std::string nothing_valid(const TuneRequest& request, const std::vector<Selection>& selections) {
    std::string text = "No candidate is valid for any of the shapes";
    for (std::size_t i = 0; i < selections.size() && i < 3; ++i)
        text += fmt::format("{} {}: {}", i == 0 ? "." : ";", shape_text(request.config.shapes[i]),
                            dropped_text(selections[i]));
    return text + fmt::format(". The workspace limit is {} bytes", request.config.max_workspace_bytes);
}

json::object explanation_json(const EnvironmentRecord& record) {
    json::object object;
    const json::object all = environment_record_json(record);
    for (const char* part : {"explanation", "provenance"})
        for (const auto& [key, value] : all.at(part).as_object())
            object[key] = value;
    return object;
}

HeaderRecord header_of(const TuneRequest& request, const TunePlan& plan) {
    HeaderRecord header;
    header.run_id = plan.environment.provenance.run_id;
    header.time = utc_time();
    header.environment = plan.environment.environment;
    header.explanation = explanation_json(plan.environment);
    header.config = request.config;
    for (const PluginInfo& plugin : plan.plugins)
        header.plugins.push_back({plugin.path.string(), plugin.sha256});
    header.protocol = protocol_json(request.settings, request.config.candidates.front().timing_scope);
    return header;
}

EndRecord end_of(const TuneRun& run) {
    EndRecord end{utc_time(), "complete", {}};
    const auto tuned = std::count_if(run.results.begin(), run.results.end(), [](const ShapeResult& result) {
        return result.outcome == TuneOutcome::tuned;
    });
    if (run.interrupted)
        end.outcome = "interrupted";
    else if (std::any_of(run.results.begin(), run.results.end(),
                         [](const auto& r) { return r.budget_spent; }))
        end.outcome = "deadline";
    else if (tuned == 0)
        end.outcome = "failed";
    end.sentence = fmt::format("{} of {} shapes begun were tuned", tuned, run.results.size());
    return end;
}

/// The configuration replaces what is there; the journal must never be.
void require_two_files(const std::filesystem::path& out, const std::filesystem::path& journal) {
    std::error_code error;
    const bool same =
        std::filesystem::weakly_canonical(out, error) == std::filesystem::weakly_canonical(journal, error);
    if ((same && !std::filesystem::is_other(out, error)) ||
        (std::filesystem::is_regular_file(out, error) && std::filesystem::equivalent(out, journal, error)))
        throw_bad_input(
            fmt::format("--out {} and --journal {} are one file; name two", out.string(), journal.string()));
}

bool has_winner(const TuneRun& run) {
    return std::any_of(run.results.begin(), run.results.end(),
                       [](const ShapeResult& result) { return result.winner.has_value(); });
}

} // namespace

std::filesystem::path journal_beside(const std::filesystem::path& out) {
    std::filesystem::path journal = out;
    std::error_code error;
    if (std::filesystem::is_character_file(out, error))
        throw_bad_input(fmt::format(
            "{}: is a device, and no journal is kept beside one; name a file with --journal", out.string()));
    journal.replace_extension(".journal.jsonl");
    return journal;
}

TunePlan plan_tuning(const TuneRequest& request, const Registry& registry) {
    const GemmTuningConfig& config = request.config;
    if (config.shapes.empty())
        throw_bad_input("shapes: the list is empty; there is nothing to tune");
    if (config.candidates.empty())
        throw_bad_input("candidates: the list is empty; there is nothing to try");
    require_one_timing_scope(config.candidates);
    TunePlan plan;
    std::string hashes;
    for (std::size_t i = 0; i < config.shapes.size(); ++i) {
        const GemmShape& shape = config.shapes[i];
        const auto& candidates = request.candidates.empty() ? config.candidates : request.candidates[i];
        plan.selections.push_back(select_candidates(candidates, shape, limit_of(config), registry.catalogue));
        std::size_t size = sizeof(float);
        for (const Distinct& distinct : plan.selections.back().distinct) {
            size = std::max(size, element_size(distinct.arithmetic.dtype));
            const KernelInfo* kernel = registry.catalogue.find(distinct.candidate.microkernel_id);
            const PluginInfo& plugin = registry.plugin_of(*kernel);
            if (std::none_of(plan.plugins.begin(), plan.plugins.end(),
                             [&](const PluginInfo& known) { return known.sha256 == plugin.sha256; }))
                plan.plugins.push_back(plugin);
        }
        require_operands_fit(shape, size);
    }
    if (plan.plugins.empty())
        throw_bad_input(nothing_valid(request, plan.selections));
    check_writable(request.out);
    check_writable(request.journal);
    require_two_files(request.out, request.journal);
    std::vector<std::string> said;
    for (const PluginInfo& plugin : plan.plugins) {
        hashes += (hashes.empty() ? "" : ",") + plugin.sha256;
        said.insert(said.end(), plugin.said.begin(), plugin.said.end());
    }
    plan.environment = collect_environment(hashes, 1, said);
    return plan;
}

TuneRun run_tuning(const TuneRequest& request, const TunePlan& plan, Measurer& measurer,
                   const TuneRunHooks& hooks) {
    const GemmTuningConfig& config = request.config;
    JournalWriter journal(request.journal);
    const auto append = [&](const JournalRecord& record) {
        storing([&] {
            journal.append(record);
            journal.sync();
        });
    };
    append(header_of(request, plan));
    TuneRun run;
    for (std::size_t i = 0; i < config.shapes.size() && !measurer.interrupted(); ++i) {
        TuneListener* const next = hooks.begin_shape(i, plan.selections[i]);
        JournalListener listener(journal, static_cast<std::int64_t>(i), config.seed, limit_of(config),
                                 request.settings.plugin_words, next);
        TuneSettings settings = request.settings;
        if (!request.first_ids.empty())
            settings.first_ids = request.first_ids[i];
        run.results.push_back(tune_shape(config.shapes[i], plan.selections[i], settings, measurer, listener));
        run.interrupted = run.results.back().interrupted;
        hooks.end_shape(i, run.results.back());
        if (!has_winner(run)) // nothing that an earlier result should make room for
            continue;
        const GemmTuningConfig tuned =
            tuned_config(config, run.results, plan.environment, request.settings, run.interrupted);
        storing([&] { write_atomically(request.out, config_json(tuned)); });
        run.written = true;
    }
    run.interrupted = run.interrupted || measurer.interrupted();
    append(end_of(run));
    return run;
}

} // namespace tune_gemm::host
