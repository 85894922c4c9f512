// What plugins said of themselves before.
#pragma once
#include "runtime/plugin_info.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace tune_gemm::host {

/// $XDG_CACHE_HOME/tune_gemm/probe, or ~/.cache/tune_gemm/probe; empty when there is neither.
std::filesystem::path probe_cache_folder();

/// The entry of a file with that hash, as if it lay at `path`; none when there is none that can be trusted.
std::optional<PluginInfo> read_probe_cache(const std::string& sha256, const std::filesystem::path& path);
/// Does nothing when it cannot be done.
void write_probe_cache(const PluginInfo&) noexcept;

} // namespace tune_gemm::host
