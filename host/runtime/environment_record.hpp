// Where and when results were obtained: the nine fields that decide whether they may be used, what explains
// them, and where they come from.
#pragma once
#include <tune_gemm/environment.hpp>
#include <tune_gemm/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tune_gemm::host {

/// Shown beside the nine fields, never compared.
struct EnvironmentExplanation {
    std::string kernel;     ///< release of the operating system's kernel
    std::string microcode;  ///< revision, or "unknown"
    std::string hypervisor; ///< its name, "none", or "unknown"
    std::string governor;   ///< of the processor's frequency, or "unknown"
    std::string plugin;     ///< what the plugins said when they were loaded, or "nothing"
    bool operator==(const EnvironmentExplanation&) const = default;
};
struct Provenance {
    std::string host;
    std::string time;     ///< UTC, "2024-05-17T09:30:00Z"
    std::string revision; ///< of tune_gemm
    std::string run_id;
    bool operator==(const Provenance&) const = default;
};
struct EnvironmentRecord {
    GemmEnvironment environment;
    EnvironmentExplanation explanation;
    Provenance provenance;
    bool operator==(const EnvironmentRecord&) const = default;
};

/// Of this process and machine. `plugin_sha256` is the hash of the file that the kernel comes from; empty:
/// none is meant. `said` is what it said when it was loaded.
EnvironmentRecord collect_environment(std::string_view plugin_sha256, int threads,
                                      const std::vector<std::string>& said = {});

/// {"environment": {..}, "explanation": {..}, "provenance": {..}}
json::object environment_record_json(const EnvironmentRecord&);
EnvironmentRecord parse_environment_record(const json::Field&);

/// Now, in UTC, to the second: "2024-05-17T09:30:00Z".
std::string utc_time();
/// Sixteen hexadecimal digits, different for every call on every machine.
std::string new_run_id();
/// The version of tune_gemm.
std::string_view library_version() noexcept;
/// Processors that this process may run on, at least 1.
int allowed_processors() noexcept;

} // namespace tune_gemm::host
