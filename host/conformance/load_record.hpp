// Loading a plugin, and what that did to the process.
#pragma once
#include "conformance/process_state.hpp"
#include "runtime/plugin_info.hpp"

#include <filesystem>
#include <string>

namespace tune_gemm::host {

struct LoadRecord {
    const PluginInfo& plugin;
    ProcessState before, after;
    std::string printed; ///< at most its first 200 bytes
};

/// As load_plugin. The record is made when the plugin is first loaded this way, and lives as long as the
/// process. [any]
const LoadRecord& load_recorded(const std::filesystem::path&, const std::string& expected_sha256);

} // namespace tune_gemm::host
