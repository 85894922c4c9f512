// Text put into room that is given, cut where it ends: for notes, which may not allocate.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tune_gemm::host {

class TextWriter {
  public:
    TextWriter(char* out, std::size_t room) noexcept : out_(out), room_(room) {}
    template <class... Args>
    void put(fmt::format_string<Args...> format, Args&&... args) noexcept {
        const auto wanted =
            fmt::format_to_n(out_ + used_, room_ - used_, format, std::forward<Args>(args)...).size;
        used_ += std::min(wanted, room_ - used_);
    }
    std::size_t used() const noexcept { return used_; }

  private:
    char* out_;
    std::size_t room_, used_ = 0;
};

} // namespace tune_gemm::host
