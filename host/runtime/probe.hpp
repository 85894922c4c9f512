// The first contact with a file: what it holds, found out without loading it into this process.
#pragma once
#include "runtime/plugin_info.hpp"

#include <chrono>
#include <filesystem>

namespace tune_gemm::host {

inline constexpr std::chrono::milliseconds probe_deadline{5000};

/// Looks at the file's tables, then loads it in a worker, where its constructors may do what they like.
/// Throws Error (failed) naming the path for a file that is no plugin, breaks the contract, or makes the
/// worker crash, hang or exit.
///
/// What a good plugin said is kept in $XDG_CACHE_HOME/tune_gemm/probe (by default ~/.cache), named by the
/// file's SHA-256 and the version of tune_gemm, and is believed the next time. Failures are not kept, and a
/// cache that cannot be read, written or understood is as good as none.
PluginInfo probe_plugin(const std::filesystem::path&, std::chrono::milliseconds deadline = probe_deadline);

} // namespace tune_gemm::host
