// Ctrl-C: the first asks for an end that keeps what was measured, the second ends at once.
#pragma once

namespace tune_gemm::host {

/// While one exists, SIGINT and SIGTERM are counted; the second ends the process with exit code 130. Its
/// workers see the end of their pipes and end, too. At most one at a time.
class InterruptGuard {
  public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    /// True once a signal has come.
    static bool interrupted() noexcept;
};

} // namespace tune_gemm::host
