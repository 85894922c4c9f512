// Reading numbers and showing texts, for the parsers and descriptions of core.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tune_gemm::text {

/// A whole number below 2^63 written in its one canonical way: digits only, no sign, no blank, no leading
/// zero. Nothing for any other text.
std::optional<std::int64_t> canonical_integer(std::string_view) noexcept;
/// The text in double quotes, fit for a message whatever it holds: bytes that are not printable ASCII as
/// \xNN, and cut after 80 bytes.
std::string quoted(std::string_view);
/// The parts between separators; one part, perhaps empty, when there is no separator.
std::size_t count_parts(std::string_view, char separator) noexcept;
/// Cuts the first part off `rest`; the separator goes with it.
std::string_view take_part(std::string_view& rest, char separator) noexcept;
/// An id: [a-z0-9_.]{1,64}.
bool is_id(std::string_view) noexcept;

} // namespace tune_gemm::text
