#include "conformance/fork_trial.hpp"

#include "conformance/tally.hpp"
#include "worker/descriptor.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tune_gemm::host {
namespace {

constexpr int patience_ms = 5000;
constexpr std::string_view good = "+"; // what a child that came back says; anything else is a sentence

/// In the child: whatever comes of f goes into the pipe, and nothing of this program is run after it.
[[noreturn]] void be_child(const std::function<void()>& f, int pipe) noexcept {
    std::string said(good);
    try {
        f();
    } catch (const CheckEnded& ended) {
        said = ended.sentence;
    } catch (const std::exception& problem) {
        said = problem.what();
    }
    const ssize_t written = ::write(pipe, said.data(), said.size());
    ::_exit(written == static_cast<ssize_t>(said.size()) ? 0 : 1);
}

/// What comes through the pipe until it is closed; false when it is not closed in time.
bool read_all(int pipe, std::string& said) {
    std::array<char, 4096> piece;
    for (;;) {
        pollfd ready{pipe, POLLIN, 0};
        const int count = ::poll(&ready, 1, patience_ms);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        const ssize_t got = ::read(pipe, piece.data(), piece.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return true;
        said.append(piece.data(), static_cast<std::size_t>(got));
    }
}

int reap(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

} // namespace

std::string try_in_fork(const std::function<void()>& f) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw Error(ErrorKind::failed, fmt::format("A pipe cannot be had ({}).", std::strerror(errno)));
    const Descriptor from_child(ends[0]);
    Descriptor to_parent(ends[1]);
    const pid_t child = ::fork();
    if (child < 0)
        throw Error(ErrorKind::failed, fmt::format("fork failed ({}).", std::strerror(errno)));
    if (child == 0)
        be_child(f, to_parent.get());
    to_parent.close();
    std::string said;
    const bool in_time = read_all(from_child.get(), said);
    if (!in_time)
        ::kill(child, SIGKILL);
    const int status = reap(child);
    if (!in_time)
        return fmt::format(
            "The child of a fork did not come back within {} s from the call that the parent had "
            "made before.",
            patience_ms / 1000);
    if (WIFSIGNALED(status))
        return fmt::format(
            "The child of a fork ended with signal {} in the call that the parent had made before.",
            WTERMSIG(status));
    if (said.empty() || WEXITSTATUS(status) != 0)
        return fmt::format(
            "The child of a fork exited with status {} in the call that the parent had made before.",
            WEXITSTATUS(status));
    return said == good ? std::string() : said;
}

} // namespace tune_gemm::host
