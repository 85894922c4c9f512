#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace tune_gemm::text {

std::optional<std::int64_t> canonical_integer(std::string_view digits) noexcept {
    // from_chars takes a minus and leading zeros, so the first character is judged here.
    if (digits.empty() || digits.front() < '0' || digits.front() > '9')
        return std::nullopt;
    if (digits.front() == '0' && digits.size() > 1)
        return std::nullopt;
    std::int64_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, status] = std::from_chars(digits.data(), end, value);
    if (status != std::errc{} || stop != end)
        return std::nullopt;
    return value;
}

std::string quoted(std::string_view raw) {
    constexpr std::size_t longest = 80;
    std::string shown = "\"";
    for (const char character : raw.substr(0, longest)) {
        const auto byte = static_cast<unsigned char>(character);
        if (byte < 0x20 || byte > 0x7e)
            shown += fmt::format("\\x{:02x}", byte);
        else
            shown += character;
    }
    return shown + (raw.size() > longest ? "...\"" : "\"");
}

std::size_t count_parts(std::string_view whole, char separator) noexcept {
    return 1 + static_cast<std::size_t>(std::count(whole.begin(), whole.end(), separator));
}

std::string_view take_part(std::string_view& rest, char separator) noexcept {
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
}

bool is_id(std::string_view candidate) noexcept {
    constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyz0123456789_.";
    return !candidate.empty() && candidate.size() <= 64 &&
           candidate.find_first_not_of(allowed) == std::string_view::npos;
}

} // namespace tune_gemm::text
