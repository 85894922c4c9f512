#include "json_text.hpp"

#include <tune_gemm/json.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace tune_gemm::json {
namespace {

bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

} // namespace

std::string clipped(std::string_view text) {
    constexpr std::size_t most = 60;
    if (text.size() <= most)
        return std::string(text);
    std::size_t length = most;
    while (length > most - 4 && (text[length] & 0xC0) == 0x80) // inside a character
        --length;
    return fmt::format("{}...", text.substr(0, length));
}

std::string quoted(std::string_view text) {
    return write(value(boost::json::string_view(clipped(text))));
}

std::string join_path(std::string_view path, std::string_view key) {
    const bool plain = !key.empty() && key.size() <= 60 && std::all_of(key.begin(), key.end(), is_plain);
    const std::string step = plain ? std::string(key) : quoted(key);
    return path.empty() ? step : fmt::format("{}.{}", path, step);
}

} // namespace tune_gemm::json
