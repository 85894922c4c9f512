// Shared libraries: what they export, and loading them. The one place that uses Boost.DLL.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace tune_gemm::host {

/// The symbols that the file exports, read from its tables without running any of it. For files that
/// check_library_file has accepted. Throws Error (failed) naming the path.
std::vector<std::string> exported_symbols(const std::filesystem::path&);

/// Loads the file, all symbols bound at once and none offered to other libraries, and never unloads it: gives
/// the address of `symbol`. Throws Error (failed) naming the path with the loader's own words. [one thread at
/// a time]
const void* load_symbol(const std::filesystem::path&, const char* symbol);

} // namespace tune_gemm::host
