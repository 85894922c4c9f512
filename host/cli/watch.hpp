// tune-gemm check --watch: again whenever the file has changed.
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace tune_gemm::host {

struct WatchedRun {
    std::string text; ///< what is printed below the header of the run
    int exit_code = 0;
};

/// Calls `run` at once, and again each time that the file has changed and has then stayed as it is for a
/// moment. The file may be replaced, be gone for a while, or be half written. `run` is handed a question that
/// any thread may ask: true when it should stop, since the file changes already or the user wants to end; it
/// then returns nothing. What it throws is printed as its result.
///
/// Ends on SIGINT or SIGTERM: with the exit code of the last run, or with 130 in the middle of one. Throws
/// Error (bad_input) for what can never be a file.
int watch_file(const std::filesystem::path&,
               const std::function<std::optional<WatchedRun>(const std::function<bool()>& stopped)>& run);

} // namespace tune_gemm::host
