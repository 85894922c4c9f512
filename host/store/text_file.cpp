#include "store/text_file.hpp"

#include "store/open_file.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <optional>

#include <fcntl.h>
#include <unistd.h>

namespace tune_gemm::host {
namespace {

/// All that can be read, or nothing with errno set. EFBIG: more than `most`.
std::optional<std::string> read_all(const std::filesystem::path& path, std::int64_t most) {
    const OpenFile file = OpenFile::try_open(path, O_RDONLY);
    if (!file.is_open())
        return std::nullopt;
    std::string text;
    std::array<char, 65536> piece; // not cleared: only what read() filled is looked at
    for (;;) {
        const ssize_t count = read(file.get(), piece.data(), piece.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return std::nullopt;
        if (count == 0)
            return text;
        text.append(piece.data(), static_cast<std::size_t>(count));
        if (static_cast<std::int64_t>(text.size()) > most) {
            errno = EFBIG;
            return std::nullopt;
        }
    }
}

} // namespace

std::string read_file(const std::filesystem::path& path, std::int64_t most) {
    std::optional<std::string> text = read_all(path, most);
    if (text)
        return *std::move(text);
    if (errno == EFBIG)
        throw_bad_input(fmt::format("{}: larger than the {} bytes that are read", path.string(), most));
    throw_bad_input(system_sentence(path, "read", errno));
}

std::string read_text_or_empty(const std::filesystem::path& path) {
    std::string text = read_all(path, std::int64_t{1} << 24).value_or(std::string());
    while (!text.empty() && (text.back() == '\n' || text.back() == '\0'))
        text.pop_back();
    return text;
}

} // namespace tune_gemm::host
