// Reading whole files.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

namespace tune_gemm::host {

/// The bytes of a regular file (or pipe). Throws Error (bad_input) naming the path and the system's reason,
/// and when the file is larger than `most` bytes.
std::string read_file(const std::filesystem::path&, std::int64_t most = std::int64_t{1} << 30);

/// For files of /proc and /sys, which may be absent: the text without the newline at its end, or "".
std::string read_text_or_empty(const std::filesystem::path&);

} // namespace tune_gemm::host
