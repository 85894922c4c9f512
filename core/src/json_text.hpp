// How pieces of JSON are shown in error sentences: short, printable, whatever the input holds.
#pragma once
#include <string>
#include <string_view>

namespace tune_gemm::json {

/// At most 60 bytes, cut between characters, "..." where something was cut.
std::string clipped(std::string_view text);
/// The clipped text in quotes, odd characters escaped as JSON does.
std::string quoted(std::string_view text);
/// `path` followed by a key: "shapes[0].m". A key that is no plain word is quoted.
std::string join_path(std::string_view path, std::string_view key);

} // namespace tune_gemm::json
