// How the end of a worker reads as a sentence.
#pragma once
#include "worker/process.hpp"

#include <optional>
#include <string>

namespace tune_gemm::host {

/// "SIGSEGV (segmentation fault)".
std::string signal_text(int signal);
/// "250 ms", "10.0 s".
std::string deadline_text(std::chrono::milliseconds);

/// The failure of a worker that ended before it answered. `status` is what waitpid gave; none when it was
/// lost.
WorkerFailure ended_failure(std::optional<int> status);
WorkerFailure timed_out_failure(std::chrono::milliseconds deadline);
WorkerFailure interrupted_failure();
/// `what` goes on from "gave a garbled answer: ".
WorkerFailure garbled_failure(const std::string& what);

} // namespace tune_gemm::host
