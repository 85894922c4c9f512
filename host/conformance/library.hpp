// Checks of scope plugin: each runs in a process of its own, in which the plugin has not been loaded yet.
#pragma once
#include "conformance/check.hpp"

#include <filesystem>

namespace tune_gemm::host {

/// Skips the check for a kernel that comes from no file.
const std::filesystem::path& plugin_file(const CheckContext&);

// library_cycles.cpp
void check_library_float_control(const CheckContext&, Tally&);
void check_library_thread_end(const CheckContext&, Tally&);
void check_library_unload(const CheckContext&, Tally&);
void check_library_memory(const CheckContext&, Tally&);

} // namespace tune_gemm::host
