#include "store/text_file.hpp"

#include "store/open_file.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tune_gemm::host {
namespace {

/// How long a pipe may stay silent. A terminal may for ever: somebody is typing.
constexpr int patience_ms = 10'000;

/// Waits for something to read from a pipe or socket; ETIMEDOUT when nothing comes.
bool await_input(int descriptor) {
    pollfd wanted{descriptor, POLLIN, 0};
    int ready = 0;
    do {
        ready = poll(&wanted, 1, patience_ms);
    } while (ready < 0 && errno == EINTR);
    if (ready == 0)
        errno = ETIMEDOUT;
    return ready > 0;
}

bool is_pipe(int descriptor) {
    struct stat status {};
    return fstat(descriptor, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

/// All that can be read, or nothing with errno set. EFBIG: more than `most`.
std::optional<std::string> read_all(const std::filesystem::path& path, std::int64_t most) {
    // Opening a FIFO for reading would wait for its writer.
    const OpenFile file = OpenFile::try_open(path, O_RDONLY | O_NONBLOCK);
    if (!file.is_open())
        return std::nullopt;
    const bool pipe = is_pipe(file.get());
    std::string text;
    std::array<char, 65536> piece; // not cleared: only what read() filled is looked at
    for (;;) {
        if (pipe && !await_input(file.get()))
            return std::nullopt;
        const ssize_t count = read(file.get(), piece.data(), piece.size());
        if (count < 0 && (errno == EINTR || (errno == EAGAIN && await_input(file.get()))))
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
    if (errno == ETIMEDOUT)
        throw_bad_input(
            fmt::format("{}: nothing was written into this pipe for {} seconds; is its writer there?",
                        path.string(), patience_ms / 1000));
    throw_bad_input(system_sentence(path, "read", errno));
}

std::string read_text_or_empty(const std::filesystem::path& path) {
    std::string text = read_all(path, std::int64_t{1} << 24).value_or(std::string());
    while (!text.empty() && (text.back() == '\n' || text.back() == '\0'))
        text.pop_back();
    return text;
}

} // namespace tune_gemm::host
