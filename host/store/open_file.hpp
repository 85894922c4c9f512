// An open file that knows its path, so that whatever goes wrong with it can be said.
#pragma once
#include <tune_gemm/error.hpp>

#include <cstdint>
#include <filesystem>
#include <string_view>

#include <sys/types.h>

namespace tune_gemm::host {

/// "PATH: cannot be DONE: No space left on device (errno 28)".
std::string system_sentence(const std::filesystem::path&, std::string_view done, int error_number);

class OpenFile {
  public:
    OpenFile() = default;
    /// As open(2), never inherited by children. Throws Error of the given kind.
    OpenFile(std::filesystem::path, int flags, mode_t mode = 0666, ErrorKind = ErrorKind::bad_input);
    /// Does not throw: is_open() is false and errno set when it cannot be opened.
    static OpenFile try_open(std::filesystem::path, int flags, mode_t mode = 0666) noexcept;
    ~OpenFile();
    OpenFile(OpenFile&&) noexcept;
    OpenFile& operator=(OpenFile&&) noexcept;

    int get() const noexcept { return descriptor_; }
    bool is_open() const noexcept { return descriptor_ >= 0; }
    const std::filesystem::path& path() const noexcept { return path_; }

    std::int64_t size() const;
    /// Writes all of it, in as many calls as it takes. Throws Error (failed).
    void write_all(std::string_view bytes);
    /// fsync. Throws Error (failed); what cannot be synced (a terminal, a pipe) is let be.
    void sync();
    /// close(2) with its errors, which a destructor would have to swallow. Throws Error (failed).
    void close();

  private:
    std::filesystem::path path_;
    int descriptor_ = -1;
};

} // namespace tune_gemm::host
