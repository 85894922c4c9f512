#include "conformance/check_cache.hpp"

#include "conformance/check_job.hpp"
#include "runtime/build_info.hpp"
#include "runtime/cpu.hpp"
#include "runtime/search.hpp"
#include "runtime/sha256.hpp"
#include "store/atomic_file.hpp"
#include "store/text_file.hpp"
#include "worker/process.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace tune_gemm::host {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view schema = "tune_gemm_checks_1";
constexpr std::int64_t largest_entry = 4 << 20; ///< bytes

std::string processor_text() {
    const CpuInfo& cpu = cpu_info();
    return fmt::format("{} family {} model {} stepping {}: {}", cpu.vendor, cpu.family, cpu.model,
                       cpu.stepping, fmt::join(cpu.features, " "));
}

json::array results_json(std::span<const Check* const> checks, std::span<const CheckResult> results) {
    json::array array;
    for (std::size_t i = 0; i < checks.size(); ++i) {
        json::value one = check_result_json(results[i]);
        one.as_object()["check"] = checks[i]->id;
        array.push_back(std::move(one));
    }
    return array;
}

/// Throws Error when something in it is not as keep() writes it.
std::vector<CheckResult> parse_results(const json::Field& field, std::span<const Check* const> checks) {
    if (field.size() != checks.size())
        field.fail(fmt::format("expected {} results", checks.size()));
    std::vector<CheckResult> results;
    for (std::size_t i = 0; i < checks.size(); ++i) {
        json::value one = field[i].raw();
        if (field[i]["check"].string() != checks[i]->id)
            field[i]["check"].fail(fmt::format("expected {}", checks[i]->id));
        one.as_object().erase("check");
        results.push_back(parse_check_result(json::Field(one, "a result")));
        if (is_failure(results.back().status))
            field[i].fail("failures are not kept");
    }
    return results;
}

} // namespace

fs::path check_cache_folder() {
    const fs::path folder = user_folder("XDG_CACHE_HOME", ".cache");
    return folder.empty() ? folder : folder / "checks";
}

CheckCache::CheckCache(fs::path folder, const PluginInfo& plugin, std::uint64_t seed)
    : folder_(std::move(folder)), sha256_(plugin.sha256),
      // The checks themselves are in the worker: another worker is another table, whatever its version says.
      program_(fmt::format("{} worker {}", TUNE_GEMM_VERSION, sha256_file(worker_executable()))),
      processor_(processor_text()), seed_(seed) {}

/// Everything that the results depend on but the checks.
json::object CheckCache::key_of(const CheckUnit& unit) const {
    constexpr std::array<std::string_view, 3> scopes{"plugin", "kernel", "tile"};
    return {{"schema_version", schema},
            {"plugin", sha256_},
            {"scope", scopes[static_cast<std::size_t>(unit.scope)]},
            {"kernel", unit.kernel},
            {"tile", unit.tile},
            {"seed", std::to_string(seed_)},
            {"program", program_},
            {"processor", processor_}};
}

fs::path CheckCache::entry_path(const CheckUnit& unit) const {
    const std::string name = sha256_text(json::write(key_of(unit)));
    return folder_ / fmt::format("{}.json", name);
}

std::optional<std::vector<CheckResult>> CheckCache::find(const CheckUnit& unit,
                                                         std::span<const Check* const> checks) {
    const fs::path entry = entry_path(unit);
    std::error_code error;
    if (!fs::exists(fs::symlink_status(entry, error)))
        return {};
    try {
        if (!fs::is_regular_file(entry))
            throw_bad_input(fmt::format("{}: it is no regular file", entry.string()));
        const json::value root = json::read(read_file(entry, largest_entry), entry.string());
        const json::Field field(root, entry.string());
        field.only({"key", "results", "sha256"});
        if (field["sha256"].string() != sha256_text(json::write(field["results"].raw())))
            field["sha256"].fail("it is not that of the results");
        if (field["key"].raw() != json::value(key_of(unit)))
            field["key"].fail("it is not that of the file's name");
        return parse_results(field["results"], checks);
    } catch (const std::exception& problem) {
        warnings_.push_back(
            fmt::format("{}. This file of the cache is ignored, and the checks are run.", problem.what()));
        return {};
    }
}

void CheckCache::keep(const CheckUnit& unit, std::span<const Check* const> checks,
                      std::span<const CheckResult> results) noexcept {
    if (std::any_of(results.begin(), results.end(),
                    [](const CheckResult& result) { return is_failure(result.status); }))
        return;
    try {
        const fs::path entry = entry_path(unit);
        if (fs::is_other(entry)) // of a pipe that nobody reads, even opening it would wait for ever
            return;
        json::array written = results_json(checks, results);
        const std::string sum = sha256_text(json::write(json::value(written)));
        fs::create_directories(folder_);
        write_atomically(entry,
                         json::write_indented(json::object{
                             {"key", key_of(unit)}, {"results", std::move(written)}, {"sha256", sum}}));
    } catch (const std::exception&) {
        // A home that cannot be written costs some seconds the next time.
    }
}

} // namespace tune_gemm::host
