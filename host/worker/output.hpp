// What a worker prints: collected while it runs, so that a flood neither blocks it nor fills memory.
#pragma once
#include <cstdint>
#include <string>

namespace tune_gemm::host {

class OutputCollector {
  public:
    explicit OutputCollector(std::int64_t keep_bytes) : keep_bytes_(keep_bytes) {}

    /// Reads what is there, at most one pipe full, without waiting. False at end of file.
    bool read_some(int descriptor);
    /// Reads until nothing more is there at the moment.
    void read_rest(int descriptor);

    /// As text that is safe to print and to record: every byte but printable ASCII, newline and tab is a '?'.
    const std::string& text() const noexcept { return text_; }
    std::int64_t count() const noexcept { return count_; } ///< bytes printed, those dropped included

  private:
    std::int64_t keep_bytes_;
    std::int64_t count_ = 0;
    std::string text_;
};

} // namespace tune_gemm::host
