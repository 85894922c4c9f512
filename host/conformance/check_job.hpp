// One check, as a job of a worker.
#pragma once
#include "conformance/check.hpp"

#include <tune_gemm/json.hpp>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

namespace tune_gemm::host {

/// Which check of which tile of which kernel.
struct CheckRequest {
    std::filesystem::path plugin;
    std::string sha256; ///< of the file; empty: not compared
    std::string kernel; ///< empty in checks of scope plugin
    int tile = -1; ///< index in the kernel's tiles; -1 in checks of wider scope and for whole-gemm kernels
    std::string check;
    std::uint64_t seed = 0;
    std::chrono::milliseconds limit{0};  ///< the parent's deadline
    std::optional<PluginInfo> described; ///< for checks of scope plugin, which find it not yet loaded
};
json::value check_request_json(const CheckRequest&);

json::value check_result_json(const CheckResult&);
CheckResult parse_check_result(const json::Field&);

/// Loads the plugin into this process, unless it is a check of scope plugin, and runs the check. Throws Error
/// for a plugin, kernel, tile or check that is not there.
CheckResult perform_check(const CheckRequest&);

/// check_request_json -> check_result_json. Leaves a note (worker/crash_note.hpp) when the kernel crashes or,
/// shortly before the limit, is still busy.
json::value check_job(const json::Field& request);

} // namespace tune_gemm::host
