// Text that came from outside, fit for a terminal.
#pragma once
#include <string>
#include <string_view>

namespace tune_gemm::host {

/// With each control character but the end of a line as \xNN, so that no file and no plugin can move the
/// cursor, change colours or hide what was printed. What is not ASCII stays.
std::string visible(std::string_view);

} // namespace tune_gemm::host
