// One line on a terminal that says how far long work has come. Silent elsewhere, so that files and pipes hold
// results only.
#pragma once
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace tune_gemm::host {

struct ProgressState {
    std::string activity; ///< "64x64x64 exploring"
    std::int64_t done = 0;
    std::int64_t total = 0;   ///< 0: not known
    std::string best;         ///< the best so far with its figure; empty: none yet
    double seconds_left = -1; ///< negative: not known
};
/// "64x64x64 exploring: 12 of 486, best 3.21 GFLOP/s (64x64x32:4x4), 9 s left"
std::string progress_text(const ProgressState&);

class Progress {
  public:
    /// Writes to `out` (stderr as a rule) when that is a terminal.
    explicit Progress(std::FILE* out = stderr);
    /// For tests: whatever `out` is.
    Progress(std::FILE* out, bool is_terminal, int columns);
    /// Removes the line.
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Shows the state, at most ten times a second.
    void show(const ProgressState&);
    /// Removes the line, so that something else can be printed; the next show() draws it again.
    void clear();
    bool is_visible() const noexcept { return is_terminal_; }

  private:
    std::FILE* out_;
    bool is_terminal_;
    int columns_; ///< 0: ask the terminal each time
    bool drawn_ = false;
    std::chrono::steady_clock::time_point last_;
};

} // namespace tune_gemm::host
