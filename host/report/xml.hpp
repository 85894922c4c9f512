// Text as XML can hold it.
#pragma once
#include <string>
#include <string_view>

namespace tune_gemm::host {

/// For the content of an element or a double-quoted attribute: markup escaped, line ends and tabs kept as
/// references, and what XML 1.0 cannot hold at all (other control characters, bytes that are not UTF-8,
/// U+FFFE, U+FFFF) replaced by U+FFFD.
std::string xml_text(std::string_view);

} // namespace tune_gemm::host
