// Runs checks on the kernels of a plugin, each in a worker, and makes a result of whatever comes of it.
#pragma once
#include "conformance/check.hpp"
#include "runtime/plugin_info.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tune_gemm::host {

class CheckCache;

struct RunnerOptions {
    std::vector<const Check*> checks; ///< in this order
    std::uint64_t seed = 42;
    std::string tile;        ///< only this one, by its tile_name; empty: all
    int jobs = 1;            ///< checks that run at once, each in a worker of its own
    bool in_process = false; ///< for debuggers: no worker, no time limit; a crash is a crash
    /// Instead of each check's own limit.
    std::optional<std::chrono::milliseconds> limit;
    CheckCache* cache = nullptr; ///< where results are looked up and kept; null: everything is run
    /// Looked at several times a second, by any thread; true ends the run.
    std::function<bool()> interrupted = [] { return false; };
};

/// "8x24"; "free" of a free tile.
std::string tile_name(const TileInfo&);

/// What came of one check of one tile.
struct CheckRecord {
    const Check* check = nullptr;
    std::string kernel;    ///< empty in checks of scope plugin
    int tile = -1;         ///< as in CheckRequest
    std::string tile_text; ///< "8x24", "free up to 64x64"; empty without a tile
    std::string tile_name; ///< where the kernel has several tiles, the one; else empty
    CheckResult result;
    std::int64_t ns = 0; ///< that it took, as the parent saw it; 0 for a cached one
    bool cached = false; ///< the result of an earlier run
};

/// Checks of scope plugin come once, each in a worker of its own; those of scope kernel once a kernel, the
/// others once for each tile. A kernel that cannot be used
/// here is skipped with its reason; one that is the same loop as an earlier one, in all but the checks of
/// scope kernel. A worker is used until it dies; after two timeouts of a tile, the rest of its checks are
/// skipped. The records have the same order whatever the number of jobs; `told` is called after each, as they
/// come, by one thread at a time. Interrupted, it gives the records of the checks that had ended. Throws
/// Error when no worker can be started or the plugin cannot be loaded.
std::vector<CheckRecord> run_checks(const PluginInfo&, std::span<const KernelInfo>, const RunnerOptions&,
                                    const std::function<void(const CheckRecord&)>& told = {});

/// How many records run_checks will give.
std::int64_t count_checks(std::span<const KernelInfo>, const RunnerOptions&);

/// How many came out how.
struct CheckTotals {
    std::int64_t passed = 0, failed = 0, skipped = 0, warned = 0;
    bool no_kernel_ran = false; ///< there were checks of kernels, and all were skipped
};
CheckTotals totals_of(std::span<const CheckRecord>) noexcept;
/// 0: something ran, and nothing failed. 1: something failed. 77: nothing could run, or only the checks of
/// the library, so that nothing is known of its kernels.
int exit_code_of(const CheckTotals&) noexcept;

} // namespace tune_gemm::host
