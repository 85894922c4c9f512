// Loading plugins into this process. Called in workers, after the first contact in a child has gone well.
#pragma once
#include "runtime/plugin_info.hpp"

#include <filesystem>
#include <string>

namespace tune_gemm::host {

/// Loads the library (once a process: a second call gives the same), checks magic, versions and every
/// descriptor, and calls init. The kernels' `kernel` and `tile` pointers are set. Never unloaded. Throws
/// Error (failed; bad_input when it is no file that can be read) with a sentence that says what is wrong with
/// the file and how to mend it; with `expected_sha256` not empty, also when the file has changed. [any]
const PluginInfo& load_plugin(const std::filesystem::path&, const std::string& expected_sha256 = {});

/// A catalogue of one loaded plugin's kernels, with pointers; those whose processor features are missing are
/// unusable.
Catalogue loaded_catalogue(const std::filesystem::path&, const std::string& expected_sha256 = {});

/// Says so in `unusable`, with the features' names, when the kernel needs processor features that are not to
/// be had here.
void mark_unusable(KernelInfo&);

} // namespace tune_gemm::host
