// A child whose system calls are watched, to see in which order it writes, syncs and renames, and to kill it
// at any of them.
#pragma once
#include "records/child.hpp"

#include <algorithm>
#include <csignal>
#include <stdexcept>
#include <string>
#include <vector>

#include <linux/ptrace.h> // after <sys/ptrace.h> the struct would be there twice
#include <sys/syscall.h>
#include <unistd.h>

extern "C" long ptrace(int request, ...) noexcept;

namespace tune_gemm::test {

class TracedChild {
  public:
    /// Forks; the child stops before it begins to work.
    template <class Work>
    explicit TracedChild(Work&& work) {
        pid_ = start_child([&] {
            if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0)
                return 98;
            raise(SIGSTOP);
            return work();
        });
        status_ = wait_for(pid_);
        if (!WIFSTOPPED(status_))
            throw std::runtime_error("this test needs ptrace, which is not allowed here");
        ptrace(PTRACE_SETOPTIONS, pid_, nullptr, PTRACE_O_TRACESYSGOOD);
    }
    ~TracedChild() {
        if (!has_ended()) {
            kill(pid_, SIGKILL);
            wait_for(pid_);
        }
    }
    TracedChild(const TracedChild&) = delete;
    TracedChild& operator=(const TracedChild&) = delete;

    bool has_ended() const { return !WIFSTOPPED(status_); }
    bool has_succeeded() const { return WIFEXITED(status_) && WEXITSTATUS(status_) == 0; }
    /// Lets it run up to the next entry into a system call, exit from one, or its end.
    void go_on() {
        ptrace(PTRACE_SYSCALL, pid_, nullptr, nullptr);
        status_ = wait_for(pid_);
    }
    /// The number of the system call that it is about to enter, or -1.
    long entered_call() const {
        ptrace_syscall_info info{};
        if (has_ended() || ptrace(PTRACE_GET_SYSCALL_INFO, pid_, sizeof info, &info) <= 0)
            return -1;
        return info.op == PTRACE_SYSCALL_INFO_ENTRY ? static_cast<long>(info.entry.nr) : -1;
    }

  private:
    pid_t pid_ = -1;
    int status_ = 0;
};

/// A letter for each system call of `work` that matters to durability, in their order: w rites, s yncs, r
/// enames.
template <class Work>
std::string durable_calls(Work&& work) {
    std::string letters;
    TracedChild child(work);
    while (!child.has_ended()) {
        switch (child.entered_call()) {
        case SYS_write:
            letters += 'w';
            break;
        case SYS_fsync:
            letters += 's';
            break;
#ifdef SYS_rename
        case SYS_rename:
#endif
        case SYS_renameat:
        case SYS_renameat2:
            letters += 'r';
            break;
        default:
            break;
        }
        child.go_on();
    }
    return child.has_succeeded() ? letters : letters + " and failed";
}

} // namespace tune_gemm::test
