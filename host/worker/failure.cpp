#include "worker/failure.hpp"

#include <fmt/format.h>

#include <cctype>
#include <csignal>
#include <cstring>

#include <sys/wait.h>

namespace tune_gemm::host {

std::string signal_text(int signal) {
    const char* name = ::sigabbrev_np(signal);
    const char* words = ::sigdescr_np(signal);
    if (name == nullptr || words == nullptr)
        return fmt::format("signal {}", signal);
    std::string described = words;
    if (described.size() > 1 && !std::isupper(static_cast<unsigned char>(described[1]))) // not "I/O possible"
        described[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(described[0])));
    return fmt::format("SIG{} ({})", name, described);
}

std::string deadline_text(std::chrono::milliseconds time) {
    if (time < std::chrono::seconds(1))
        return fmt::format("{} ms", time.count());
    return fmt::format("{:.1f} s", static_cast<double>(time.count()) / 1000);
}

WorkerFailure ended_failure(std::optional<int> status) {
    WorkerFailure failure;
    if (!status) { // somebody else has collected it: SIGCHLD is ignored, or a stray wait in this process
        failure.sentence = "ended before it answered; its exit status was lost";
    } else if (WIFSIGNALED(*status)) {
        failure.code = WTERMSIG(*status);
        failure.sentence = failure.code == SIGKILL
                               ? "was killed with SIGKILL: by itself, from outside, or because memory ran out"
                               : fmt::format("crashed with {}", signal_text(failure.code));
    } else {
        failure.kind = WorkerFailure::Kind::exited;
        failure.code = WEXITSTATUS(*status);
        failure.sentence = fmt::format("exited with status {} before it answered", failure.code);
    }
    return failure;
}

WorkerFailure timed_out_failure(std::chrono::milliseconds deadline) {
    WorkerFailure failure;
    failure.kind = WorkerFailure::Kind::timed_out;
    failure.code = SIGKILL;
    failure.sentence = fmt::format("gave no answer within {}", deadline_text(deadline));
    return failure;
}

WorkerFailure interrupted_failure() {
    WorkerFailure failure;
    failure.kind = WorkerFailure::Kind::timed_out;
    failure.code = SIGKILL;
    failure.sentence = "was stopped before it answered, since the run was interrupted";
    return failure;
}

WorkerFailure garbled_failure(const std::string& what) {
    WorkerFailure failure;
    failure.kind = WorkerFailure::Kind::garbled;
    failure.sentence = fmt::format("gave a garbled answer: {}", what);
    return failure;
}

} // namespace tune_gemm::host
