// What a process has besides memory: everything that a library may change without being asked, and that the
// rest of the program does not expect to change.
#pragma once
#include <map>
#include <string>

namespace tune_gemm::host {

/// Facts by name: "the umask" is "0022", "descriptor 5" is "/dev/null", "environment variable HOME" is ...
class ProcessState {
  public:
    /// Threads, descriptors, actions and mask of signals, alternate stack, processors allowed, priority,
    /// limits, locale, working folder, environment, umask, child processes.
    static ProcessState now();

    /// "descriptor 5 from nothing to /dev/null": the first fact that differs; empty when none does.
    std::string difference(const ProcessState& later) const;
    /// Threads are no part of the comparison any more.
    void forget_threads() { facts_.erase(threads); }
    /// The same of the permission to use matrix tiles.
    void forget_tiles() { facts_.erase(tiles); }

  private:
    static constexpr const char* threads = "the threads";
    static constexpr const char* tiles = "the permission to use matrix tiles";
    std::map<std::string, std::string> facts_;
};

/// Standard output and standard error led into memory, to see whether anything is printed. Crash notes and
/// what plugins log go where they always do. Ends with the object; what was caught is printed then after all,
/// for nothing shall be lost.
class CaughtOutput {
  public:
    CaughtOutput();
    ~CaughtOutput();
    CaughtOutput(const CaughtOutput&) = delete;
    CaughtOutput& operator=(const CaughtOutput&) = delete;

    /// What has been printed so far, at most its first 200 bytes.
    std::string text() const;

  private:
    int memory_ = -1, own_out_ = -1, own_error_ = -1;
    int notes_before_ = -1, log_before_ = -1;
};

} // namespace tune_gemm::host
