// A worker: the process in which kernels run.
//
// A worker is the executable tune-gemm-worker, started with a socket for messages (one JSON line each way),
// its standard output and error captured, in a process group of its own, with limits. It carries out jobs one
// after the other. Whatever a kernel does to it (crash, hang, exit, flood of output, memory hunger) becomes a
// WorkerFailure; only a whole, well-formed answer to the very request (its number, which cannot be guessed,
// is echoed) counts as an answer.
#pragma once
#include <tune_gemm/json.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace tune_gemm::host {

struct WorkerLimits {
    /// Address space beyond what the worker holds at start; 0: no limit. Each thread that it starts takes
    /// about 72 MiB of it (stack and malloc arena), touched or not. Without effect where
    /// address_space_limit_unusable().
    std::int64_t memory_bytes = 0;
    std::int64_t output_bytes =
        65536; ///< of stdout and stderr together that are kept; the rest is counted and dropped
    /// Looked at several times a second while an answer is awaited; true ends the worker as a deadline does.
    std::function<bool()> interrupted;
};

struct WorkerFailure {
    enum class Kind { crashed, exited, timed_out, garbled };
    Kind kind = Kind::crashed;
    int code = 0;         ///< signal number or exit status
    std::string sentence; ///< goes on from "the worker": "crashed with SIGSEGV (segmentation fault)",
                          ///< "exited with status 0 before it answered", "gave no answer within 10.0 s", ...
    std::string output;   ///< what it printed, as Worker::output
};

/// Exactly one of the two is set.
struct WorkerAnswer {
    std::optional<json::value> value;
    std::optional<WorkerFailure> failure;
};

/// [one thread at a time] Not copyable. The destructor kills the process group and reaps it. A worker also
/// dies with the thread that started it, which is how none is left behind when this process is killed.
class Worker {
  public:
    /// Starts a process. Throws Error (failed) when none can be started.
    explicit Worker(const WorkerLimits& = {});
    ~Worker();
    Worker(Worker&&) noexcept;
    Worker& operator=(Worker&&) noexcept;

    /// Sends {"number": n, "job": job, "request": request} and waits for the answer, at most `deadline`; then
    /// the process group is killed. A job that throws Error in the worker throws the same Error here. After a
    /// failure the worker is dead, and a further call throws Error (failed).
    WorkerAnswer call(std::string_view job, const json::value& request, std::chrono::milliseconds deadline);
    /// Stops the process and all of its threads, so that they take nothing from what is measured elsewhere,
    /// and lets them go on. A call to a stopped worker gets no answer.
    void stop() noexcept;
    void let_go_on() noexcept;
    /// False once a call has failed.
    bool alive() const noexcept;
    /// What the worker printed since it started (stdout and stderr together), at most output_bytes, and the
    /// count of all. Text that is safe to show: bytes other than printable ASCII, newline and tab stand as
    /// '?'. Complete up to the last answer: a worker does not buffer what it prints.
    const std::string& output() const noexcept;
    std::int64_t output_count() const noexcept;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// One job in a worker of its own.
WorkerAnswer call_once(std::string_view job, const json::value& request, std::chrono::milliseconds deadline,
                       const WorkerLimits& = {});

/// Where tune-gemm-worker is: $TUNE_GEMM_WORKER (ignored when privileges differ), beside the running
/// executable, or in
/// ../libexec/tune_gemm relative to it. Throws Error naming the places when it is nowhere.
std::filesystem::path worker_executable();
/// The folder of the running executable; empty when the system does not tell.
std::filesystem::path executable_folder();

/// True in builds with address or thread sanitizer, whose shadow memory forbids a limit on address space.
bool address_space_limit_unusable() noexcept;

} // namespace tune_gemm::host
