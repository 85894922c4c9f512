#include "store/open_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tune_gemm::host {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view done, int error_number,
                       ErrorKind kind = ErrorKind::failed) {
    throw Error(kind, system_sentence(path, done, error_number));
}

} // namespace

std::string system_sentence(const std::filesystem::path& path, std::string_view done, int error_number) {
    return fmt::format("{}: cannot be {}: {} (errno {})", path.string(), done,
                       std::generic_category().message(error_number), error_number);
}

OpenFile::OpenFile(std::filesystem::path path, int flags, mode_t mode, ErrorKind kind)
    : OpenFile(try_open(std::move(path), flags, mode)) {
    if (!is_open())
        fail(path_, "opened", errno, kind);
}

OpenFile OpenFile::try_open(std::filesystem::path path, int flags, mode_t mode) noexcept {
    OpenFile file;
    do {
        file.descriptor_ = open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY, mode);
    } while (file.descriptor_ < 0 && errno == EINTR);
    file.path_ = std::move(path);
    return file;
}

OpenFile::~OpenFile() {
    if (is_open())
        ::close(descriptor_);
}

OpenFile::OpenFile(OpenFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

OpenFile& OpenFile::operator=(OpenFile&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

std::int64_t OpenFile::size() const {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0)
        fail(path_, "examined", errno);
    return status.st_size;
}

void OpenFile::write_all(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = write(descriptor_, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            fail(path_, "written", errno);
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
}

void OpenFile::sync() {
    int result = 0;
    do {
        result = fsync(descriptor_);
    } while (result != 0 && errno == EINTR);
    if (result != 0 && errno != EINVAL && errno != ENOTSUP)
        fail(path_, "synced", errno);
}

void OpenFile::close() {
    const int descriptor = std::exchange(descriptor_, -1);
    if (descriptor >= 0 && ::close(descriptor) != 0 && errno != EINTR) // EINTR: closed all the same on Linux
        fail(path_, "closed", errno);
}

} // namespace tune_gemm::host
