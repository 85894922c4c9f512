// plugins.lock.json: the plugin files that may be loaded.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace tune_gemm::host {

struct LockedPlugin {
    std::filesystem::path path; ///< empty: wherever it lies
    std::string sha256;
};

/// {"schema_version": "tune_gemm_lock_1", "plugins": [{"sha256": "<64 hexadecimal digits>", "path":
/// "/x/y.so"}, ..]}; "path" is absolute and may be missing. Throws Error (bad_input) naming file and field.
std::vector<LockedPlugin> read_lock(const std::filesystem::path&);

/// Throws Error (bad_input) naming the file and its hash when the list does not have them.
void check_locked(const std::vector<LockedPlugin>&, const std::filesystem::path& file,
                  const std::string& sha256, const std::filesystem::path& lock_file);

} // namespace tune_gemm::host
