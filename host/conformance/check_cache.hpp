// Results of checks that need not be run again: of the same file, by the same program, on the same processor.
//
// One file in the cache holds the results of all checks of one tile (or of a kernel as a whole, or of the
// library), and is used as a whole or not at all. Only what kept the contract is kept: a failure is found
// anew each time.
#pragma once
#include "conformance/check.hpp"
#include "runtime/plugin_info.hpp"

#include <tune_gemm/json.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tune_gemm::host {

/// Which checks belong together: those of the library, of a kernel, or of a tile.
struct CheckUnit {
    Scope scope = Scope::tile;
    std::string kernel; ///< as in CheckRecord
    int tile = -1;
};

/// [one thread at a time]
class CheckCache {
  public:
    /// For the checks of one plugin. Throws Error when the worker's executable cannot be read.
    CheckCache(std::filesystem::path folder, const PluginInfo&, std::uint64_t seed);

    /// The results of exactly these checks, in their order; none when there are none to be trusted.
    std::optional<std::vector<CheckResult>> find(const CheckUnit&, std::span<const Check* const>);
    /// Keeps them, unless one of them is a failure. Does nothing when the folder cannot be written.
    void keep(const CheckUnit&, std::span<const Check* const>, std::span<const CheckResult>) noexcept;

    /// What was wrong with files that were ignored, as sentences.
    const std::vector<std::string>& warnings() const noexcept { return warnings_; }

  private:
    std::filesystem::path entry_path(const CheckUnit&) const;
    json::object key_of(const CheckUnit&) const;

    std::filesystem::path folder_;
    std::string sha256_, program_, processor_;
    std::uint64_t seed_;
    std::vector<std::string> warnings_;
};

/// $XDG_CACHE_HOME/tune_gemm/checks, or ~/.cache/tune_gemm/checks; empty when there is neither.
std::filesystem::path check_cache_folder();

} // namespace tune_gemm::host
