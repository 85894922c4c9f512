// Work in a forked child, for limits that cannot be lifted again and for kills.
#pragma once
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tune_gemm::test {

/// Forks; the child runs `work` and exits with what it returns, 99 when it throws.
template <class Work>
pid_t start_child(Work&& work) {
    const pid_t pid = fork();
    if (pid < 0)
        throw std::runtime_error("fork failed");
    if (pid == 0) {
        int code = 99;
        try {
            code = work();
        } catch (...) {
        }
        _exit(code);
    }
    return pid;
}

/// The wait status of a child that has ended.
inline int wait_for(pid_t pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0) {
    }
    return status;
}

/// The exit code of `work` in a child; -1 when it was killed.
template <class Work>
int in_child(Work&& work) {
    const int status = wait_for(start_child(work));
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// For children, whose failed checks nobody counts: whether a sentence contains each of the words.
inline bool has_words(const std::string& sentence, std::initializer_list<std::string_view> words) {
    return std::all_of(words.begin(), words.end(),
                       [&](std::string_view word) { return sentence.find(word) != std::string::npos; });
}

/// For children only: no file may grow beyond `bytes`; writing more fails with EFBIG, as a full disk does
/// with ENOSPC.
inline void limit_file_size(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        throw std::runtime_error("setrlimit failed");
}

} // namespace tune_gemm::test
