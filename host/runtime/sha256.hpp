// SHA-256, the name of a plugin file's contents.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace tune_gemm::host {

/// 64 lower-case hexadecimal digits.
std::string sha256_text(std::string_view bytes);
/// Of a regular file, read in pieces. Throws Error (bad_input) naming the path when it cannot be read.
std::string sha256_file(const std::filesystem::path&);
/// The same from an open file's beginning; its read position is not used.
std::string sha256_descriptor(int descriptor, const std::filesystem::path& path_in_errors);

/// True for 64 lower-case hexadecimal digits.
bool is_sha256(std::string_view) noexcept;

} // namespace tune_gemm::host
