#include "report/xml.hpp"

#include <cstdint>

namespace tune_gemm::host {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD"; // U+FFFD

/// Bytes of the character that begins here, 0 when it is no whole, shortest UTF-8 of a character that XML
/// knows.
std::size_t character_length(std::string_view text) noexcept {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned char lead = byte(0);
    const std::size_t length = lead < 0x80         ? 1
                               : lead >> 5 == 0x06 ? 2
                               : lead >> 4 == 0x0E ? 3
                               : lead >> 3 == 0x1E ? 4
                                                   : 0;
    if (length == 0 || length > text.size())
        return 0;
    std::uint32_t code = length == 1 ? lead : lead & (0x7Fu >> length);
    for (std::size_t at = 1; at < length; ++at) {
        if (byte(at) >> 6 != 0x02)
            return 0;
        code = code << 6 | (byte(at) & 0x3Fu);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool known = code >= least[length] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF) &&
                       code != 0xFFFE && code != 0xFFFF && (code >= 0x20 || code == '\t' || code == '\n');
    return known ? length : 0;
}

std::string_view reference_for(char c) noexcept {
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\n':
        return "&#10;";
    case '\t':
        return "&#9;";
    default:
        return {};
    }
}

} // namespace

std::string xml_text(std::string_view text) {
    std::string written;
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        if (const std::string_view reference = reference_for(text.front()); !reference.empty())
            written += reference;
        else
            written += length == 0 ? replacement : text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return written;
}

} // namespace tune_gemm::host
