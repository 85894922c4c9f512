#include "worker/output.hpp"

#include <algorithm>
#include <cerrno>

#include <unistd.h>

namespace tune_gemm::host {
namespace {

char printable(char c) {
    return (c >= ' ' && c <= '~') || c == '\n' || c == '\t' ? c : '?';
}

} // namespace

bool OutputCollector::read_some(int descriptor) {
    char buffer[65536];
    const ssize_t got = ::read(descriptor, buffer, sizeof buffer);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR;
    count_ += got;
    const std::int64_t room =
        std::max<std::int64_t>(0, keep_bytes_ - static_cast<std::int64_t>(text_.size()));
    std::transform(buffer, buffer + std::min<std::int64_t>(got, room), std::back_inserter(text_), printable);
    return got > 0;
}

void OutputCollector::read_rest(int descriptor) {
    // A process that escaped from the group could print for ever; a pipe holds 64 KiB unless it was enlarged.
    for (int rounds = 0; rounds < 64; ++rounds) {
        const std::int64_t before = count_;
        if (!read_some(descriptor) || count_ == before)
            return;
    }
}

} // namespace tune_gemm::host
