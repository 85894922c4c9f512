// The nine fields that decide whether a tuned result may be used.
#pragma once
#include <tune_gemm/json.hpp>

#include <string>
#include <vector>

namespace tune_gemm {

struct GemmEnvironment {
    std::string target;         ///< operating system and architecture
    std::string toolchain;      ///< compiler and version
    std::string compiler_flags; ///< those that touch arithmetic and tuning
    std::string dtype_abi;      ///< types and plugin ABI version
    std::string runtime;        ///< library version and the kernel plugin's hash
    std::string cpu;            ///< vendor, family, model, stepping, features enabled, cache sizes
    std::string gc;             ///< "none" here
    std::string concurrency;    ///< threads used and processors allowed
    std::string clock;          ///< name of the clock source, never a frequency
    bool operator==(const GemmEnvironment&) const = default;
};

/// True when all nine fields are equal.
bool environment_compatible(const GemmEnvironment&, const GemmEnvironment&) noexcept;
struct EnvironmentDifference {
    std::string field, left, right;
};
std::vector<EnvironmentDifference> environment_differences(const GemmEnvironment&, const GemmEnvironment&);

json::value environment_json(const GemmEnvironment&);
/// Throws Error naming the field that is missing, unknown or no text.
GemmEnvironment parse_environment(const json::Field&);

} // namespace tune_gemm
