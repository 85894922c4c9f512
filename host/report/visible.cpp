#include "report/visible.hpp"

#include <fmt/format.h>

namespace tune_gemm::host {

std::string visible(std::string_view text) {
    std::string shown;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
        if ((byte < 0x20 && byte != '\n') || byte == 0x7f)
            shown += fmt::format("\\x{:02x}", byte);
        else if (byte == 0xc2 && next >= 0x80 && next <= 0x9f) // the second set of controls, in UTF-8
            shown += fmt::format("\\x{:02x}\\x{:02x}", byte, next), ++i;
        else
            shown += text[i];
    }
    return shown;
}

} // namespace tune_gemm::host
