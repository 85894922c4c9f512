// The lines that go over the channel.
#pragma once
#include <tune_gemm/error.hpp>
#include <tune_gemm/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace tune_gemm::host {

inline constexpr std::size_t longest_message = std::size_t{64} << 20; ///< bytes

/// {"number":n,"job":job,"request":request} and a newline.
std::string request_line(std::int64_t number, std::string_view job, const json::value& request);
/// {"number":n,"value":value} or {"number":n,"error":{"kind":k,"sentence":s}}, and a newline.
std::string answer_line(std::int64_t number, const json::value& value);
std::string error_line(std::int64_t number, const Error&);

/// Reads an answer, without its newline. Throws std::runtime_error saying what is wrong with it, also when it
/// is not the answer to request `number`.
std::variant<json::value, Error> parse_answer(std::string_view line, std::int64_t number);

} // namespace tune_gemm::host
