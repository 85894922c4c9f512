// A worker: the process in which kernels run.
//
// A worker is the executable tune-gemm-worker, started with two pipes for messages (one JSON line each way), its
// standard output and error captured, in a process group of its own, with limits. It carries out jobs one after the other.
// Whatever a kernel does to it (crash, hang, exit, flood of output, memory hunger) becomes a WorkerFailure; only a whole,
// well-formed answer to the very request (its number is echoed) counts as an answer.
#pragma once
#include <tune_gemm/json.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace tune_gemm::host {

struct WorkerLimits {
    std::int64_t memory_bytes = 0;  ///< address space beyond what the worker holds at start; 0: none set
    std::int64_t output_bytes = 65536; ///< of stdout and stderr together that are kept; the rest is counted and dropped
};

struct WorkerFailure {
    enum class Kind { crashed, exited, timed_out, garbled };
    Kind kind = Kind::crashed;
    int code = 0;         ///< signal number or exit status
    std::string sentence; ///< "crashed with SIGSEGV (segmentation fault)", "gave no answer within 10.0 s", ...
    std::string output;   ///< what it printed, at most output_bytes
};

/// Exactly one of the two is set.
struct WorkerAnswer {
    std::optional<json::value> value;
    std::optional<WorkerFailure> failure;
};

/// [one thread at a time] Not copyable. The destructor kills the process group and reaps it.
class Worker {
  public:
    /// Starts a process. Throws Error (failed) when none can be started.
    explicit Worker(const WorkerLimits& = {});
    ~Worker();
    Worker(Worker&&) noexcept;
    Worker& operator=(Worker&&) noexcept;

    /// Sends {"job": job, "request": request, "number": n} and waits for the answer, at most `deadline`; then the process
    /// group is killed. A job that throws Error in the worker throws the same Error here. After a failure the worker is
    /// dead, and a further call throws Error.
    WorkerAnswer call(std::string_view job, const json::value& request, std::chrono::milliseconds deadline);
    bool alive() const noexcept;
    /// What the worker printed since it started (stdout and stderr together), at most output_bytes, and the count of all.
    const std::string& output() const noexcept;
    std::int64_t output_count() const noexcept;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// One job in a worker of its own.
WorkerAnswer call_once(std::string_view job, const json::value& request, std::chrono::milliseconds deadline,
                       const WorkerLimits& = {});

/// Where tune-gemm-worker is: $TUNE_GEMM_WORKER (ignored when privileges differ), beside the running executable, or in
/// ../libexec/tune_gemm relative to it. Throws Error naming the places when it is nowhere.
std::filesystem::path worker_executable();

/// True in builds with address or thread sanitizer, whose shadow memory forbids a limit on address space.
bool address_space_limit_unusable() noexcept;

} // namespace tune_gemm::host
