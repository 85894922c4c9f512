// The table of checks, and what a check is given and gives back.
//
// A check enforces one sentence of the plugin contract (tune_gemm/abi.h). It runs in a worker, on one tile of
// one kernel (or one whole-gemm kernel), and stops at the first breach. It is repeatable: its cases follow
// from the kernel's description and the seed.
#pragma once
#include "conformance/plugin_call.hpp"
#include "conformance/tally.hpp"
#include "runtime/plugin_info.hpp"

#include <tune_gemm/catalogue.hpp>

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tune_gemm::host {

struct LoadRecord; // conformance/load_record.hpp

/// pass: cases ran and kept the contract. warn: a breach of a rule that is a recommendation. skip: does not
/// apply, for the reason given. crash and timeout: the worker did not come back.
enum class CheckStatus : std::uint8_t { pass, fail, crash, timeout, skip, warn };
std::string_view to_text(CheckStatus) noexcept;
/// Throws Error for a text that is none of the six.
CheckStatus parse_check_status(std::string_view);
/// fail, crash and timeout: the kernel must not be used.
constexpr bool is_failure(CheckStatus s) noexcept {
    return s == CheckStatus::fail || s == CheckStatus::crash || s == CheckStatus::timeout;
}

/// must: a breach fails. should: a breach is a warning.
enum class Severity : std::uint8_t { must, should };
/// Whether a check looks at the file as a library, once; at a kernel as a whole; or at each of its tiles.
enum class Scope : std::uint8_t { plugin, kernel, tile };

/// What is under test, loaded in this process, but for checks of scope plugin: these load it themselves.
/// Outlives the check.
struct CheckContext {
    const PluginInfo* plugin = nullptr; ///< null for a kernel that comes from no file
    const KernelInfo& kernel;           ///< in checks of scope plugin the first one, without pointers
    const TileInfo* tile = nullptr;     ///< null for a whole-gemm kernel, and in checks of wider scope
    std::uint64_t seed = 0;
    CallWatch* watch = nullptr;       ///< stands by the calls of rigs, or makes them; may be null
    const LoadRecord* load = nullptr; ///< null for a kernel that comes from no file
};

/// Runs its cases and counts them in the tally. Ends early through fail_check or skip_check, which throw.
using CheckFunction = void (*)(const CheckContext&, Tally&);

struct Check {
    std::string_view id;       ///< group.name
    std::string_view contract; ///< one sentence
    Severity severity;
    Scope scope;
    std::chrono::milliseconds limit;
    CheckFunction run;
    /// Looks at what a kernel may do only once, so it needs a process in which none has been called before.
    bool fresh_process = false;
};
std::string_view group_of(const Check&) noexcept;
/// Where the check is explained: "docs/kernel-contract.md#tail.residues".
std::string page_of(const Check&);

/// Every check, in the order in which they run: cheap and basic ones first.
std::span<const Check> all_checks() noexcept;
/// The checks of one group; each is defined in the file of that name.
std::span<const Check> library_checks() noexcept;
std::span<const Check> metadata_checks() noexcept;
std::span<const Check> result_checks() noexcept;
std::span<const Check> tail_checks() noexcept;
std::span<const Check> workspace_checks() noexcept;
std::span<const Check> plan_checks() noexcept;
std::span<const Check> state_checks() noexcept;
std::span<const Check> concurrency_checks() noexcept;
std::span<const Check> errors_checks() noexcept;

/// Null when there is none.
const Check* find_check(std::string_view id) noexcept;
/// The checks that a text names: an id, or a group ("tail" or "tail."). Throws Error (bad_input) that
/// suggests the nearest id when it names none.
std::vector<const Check*> select_checks(std::string_view text);

struct CheckResult {
    CheckStatus status = CheckStatus::skip;
    std::string sentence; ///< the breach, the reason for a skip; empty for a pass
    std::int64_t cases = 0;
};

/// Runs one check in this process. A check that ran no case, or left a class of cases out, fails.
CheckResult run_check(const Check&, const CheckContext&);

} // namespace tune_gemm::host
