#include "contestants.hpp"

#include "measure/specification.hpp"
#include "worker/process.hpp"

#include <tune_gemm/error.hpp>
#include <tune_gemm/model_candidate.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace tune_gemm::bench {
namespace fs = std::filesystem;
namespace {

constexpr const char* thread_variables[] = {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS",
                                            "MKL_NUM_THREADS"};
constexpr const char* library_variable = "TUNE_GEMM_BLAS";

Contestant contestant_of(const KernelInfo& kernel, const host::PluginInfo& plugin) {
    return {kernel.id, kernel, plugin.path, plugin.sha256, plugin.said, !kernel.whole_gemm, {}, {}};
}

bool is_fast_tile(const KernelInfo& kernel) {
    return !kernel.whole_gemm && !kernel.cpu.empty() && kernel.arithmetic.order == TG_SEQUENTIAL;
}

Contestant named(const host::Registry& registry, const std::string& id, tg_dtype dtype) {
    const host::Selected selected = host::select_kernel(registry, id);
    if (selected.kernel.arithmetic.dtype != dtype)
        throw_bad_input(fmt::format("The kernel {} works on {}; --dtype is {}.", id,
                                    dtype_text(selected.kernel.arithmetic.dtype), dtype_text(dtype)));
    return contestant_of(selected.kernel, selected.plugin);
}

std::vector<Contestant> named(const host::Registry& registry, const ContestantOptions& options) {
    std::vector<Contestant> contestants;
    for (const std::string& id : options.kernels)
        contestants.push_back(named(registry, id, options.dtype));
    for (const std::string& id : options.candidates) {
        GemmCandidate candidate = parse_candidate_id(id);
        Contestant contestant = named(registry, candidate.microkernel_id, options.dtype);
        candidate.microkernel_id = contestant.kernel.id;
        contestant.name = id;
        contestant.given = std::move(candidate);
        contestants.push_back(std::move(contestant));
    }
    return contestants;
}

std::vector<Contestant> usual(const host::Registry& registry, tg_dtype dtype,
                              std::vector<std::string>& skipped) {
    std::vector<Contestant> contestants;
    const KernelInfo* plain = nullptr;
    for (const KernelInfo& kernel : registry.catalogue.kernels()) {
        if (kernel.arithmetic.dtype != dtype)
            continue;
        if (!kernel.unusable.empty()) {
            skipped.push_back(fmt::format("{}: {}", kernel.id, kernel.unusable));
            continue;
        }
        if (kernel.whole_gemm || is_fast_tile(kernel))
            contestants.push_back(contestant_of(kernel, registry.plugin_of(kernel)));
        else if (plain == nullptr || kernel.rank > plain->rank)
            plain = &kernel;
    }
    const bool any_ours =
        std::any_of(contestants.begin(), contestants.end(), [](const Contestant& one) { return one.ours; });
    if (!any_ours && plain != nullptr)
        contestants.push_back(contestant_of(*plain, registry.plugin_of(*plain)));
    return contestants;
}

/// One product of a single entry, so that a library that is no BLAS is said to be none before anything is
/// measured: its functions are looked up when the plugin is loaded in earnest.
void require_a_product(const Contestant& contestant) {
    const GemmShape shape{1, 1, 1};
    const auto candidate = model_candidate(contestant.kernel, shape, {}, default_workspace_limit);
    const host::JobSpecification spec{contestant.plugin, contestant.sha256, candidate.value(), shape};
    const host::WorkerAnswer answer =
        host::call_once("validate", host::specification_json(spec), std::chrono::seconds(20));
    if (answer.failure)
        throw Error(ErrorKind::failed, fmt::format("With {} the worker {}.", contestant.library.string(),
                                                   answer.failure->sentence));
}

Contestant of_library(const fs::path& given, const ContestantOptions& options) {
    if (given.empty())
        throw_bad_input("--baseline: the path is empty; expected that of a BLAS library.");
    const fs::path library = fs::absolute(given).lexically_normal();
    if (!fs::is_regular_file(library))
        throw_bad_input(fmt::format("--baseline {}: there is no such file.", given.string()));
    const ProcessEnvironment environment(library, options.threads);
    host::RegistryOptions trusting;
    trusting.allow_unsafe_path = true; // the plugin is this build's own; the library was named by the user
    const host::PluginInfo plugin = host::inspect_file(options.by_path_plugin, trusting);
    for (const KernelInfo& kernel : plugin.kernels) {
        if (kernel.arithmetic.dtype != options.dtype)
            continue;
        Contestant contestant = contestant_of(kernel, plugin);
        contestant.name = library.filename().string();
        contestant.library = library;
        require_a_product(contestant);
        return contestant;
    }
    throw Error(ErrorKind::failed,
                fmt::format("{} has no kernel for {}.", plugin.path.string(), dtype_text(options.dtype)));
}

} // namespace

ProcessEnvironment::ProcessEnvironment(const fs::path& library, unsigned threads) {
    for (const char* variable : thread_variables)
        ::setenv(variable, std::to_string(threads).c_str(), 1);
    if (!library.empty())
        ::setenv(library_variable, library.c_str(), 1);
}

ProcessEnvironment::~ProcessEnvironment() {
    ::unsetenv(library_variable);
}

std::vector<Contestant> choose_contestants(const host::Registry& registry, const ContestantOptions& options,
                                           std::vector<std::string>& skipped) {
    std::vector<Contestant> contestants = options.kernels.empty() && options.candidates.empty()
                                              ? usual(registry, options.dtype, skipped)
                                              : named(registry, options);
    for (const fs::path& library : options.libraries)
        contestants.push_back(of_library(library, options));
    // Two files of one name are told apart by their folders.
    for (Contestant& one : contestants)
        for (const Contestant& other : contestants)
            if (&one != &other && one.name == other.name && one.library != other.library)
                one.name = one.library.string();
    std::stable_partition(contestants.begin(), contestants.end(),
                          [](const Contestant& one) { return one.ours; });
    return contestants;
}

} // namespace tune_gemm::bench
