#include "store/atomic_file.hpp"

#include "store/open_file.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tune_gemm::host {
namespace fs = std::filesystem;
namespace {

fs::path folder_of(const fs::path& path) {
    const fs::path folder = path.parent_path();
    return folder.empty() ? fs::path(".") : folder;
}

bool is_special(const fs::path& path) {
    std::error_code error;
    return fs::is_other(path, error);
}

/// The file that a chain of symbolic links leads to, whether or not it is there. A special file is opened by
/// the name given: /dev/stdout leads to a text that is no path when standard output is a pipe.
fs::path behind_links(fs::path path) {
    std::error_code error;
    if (is_special(path))
        return path;
    for (int hops = 0; hops < 40 && fs::is_symlink(path, error);
         ++hops) { // a circle is an error when it is opened
        const fs::path target = fs::read_symlink(path, error);
        path = path.parent_path() / target; // an absolute target replaces the folder
    }
    return path;
}

/// A new, empty file beside `path`, which is removed again unless it is renamed.
class NeighbourFile {
  public:
    NeighbourFile(const fs::path& path, mode_t mode, ErrorKind kind) {
        static std::atomic<unsigned> counter = 0;
        for (;;) {
            const std::string name =
                fmt::format(".{}.{}.{}.tmp", path.filename().string(), getpid(), ++counter);
            file_ = OpenFile::try_open(folder_of(path) / name, O_WRONLY | O_CREAT | O_EXCL, mode);
            if (file_.is_open())
                return;
            if (errno != EEXIST) // left over by a process of that number that was killed
                throw Error(kind, system_sentence(path, "written", errno));
        }
    }
    ~NeighbourFile() {
        if (!renamed_)
            unlink(file_.path().c_str());
    }
    NeighbourFile(const NeighbourFile&) = delete;
    NeighbourFile& operator=(const NeighbourFile&) = delete;

    OpenFile& file() { return file_; }
    void rename_to(const fs::path& path) {
        if (std::rename(file_.path().c_str(), path.c_str()) != 0)
            throw Error(ErrorKind::failed, system_sentence(path, "replaced", errno));
        renamed_ = true;
    }

  private:
    OpenFile file_;
    bool renamed_ = false;
};

} // namespace

void check_writable(const fs::path& path) {
    if (path.empty())
        throw_bad_input("an empty path names no file to write");
    std::error_code error;
    const fs::path target = behind_links(path);
    if (!is_special(target) && fs::is_symlink(target, error))
        throw_bad_input(system_sentence(path, "written", ELOOP));
    if (fs::is_directory(target, error))
        throw_bad_input(fmt::format("{}: is a folder where a file was expected", path.string()));
    const fs::path folder = folder_of(target);
    if (!fs::exists(folder, error))
        throw_bad_input(
            fmt::format("{}: cannot be written: there is no folder {}", path.string(), folder.string()));
    if (!fs::is_directory(folder, error))
        throw_bad_input(
            fmt::format("{}: cannot be written: {} is no folder", path.string(), folder.string()));
    if (fs::exists(target, error) && access(target.c_str(), W_OK) != 0)
        throw_bad_input(system_sentence(path, "written", errno));
    if (is_special(target)) {
        if (!fs::is_character_file(target, error)) // opening a pipe waits for its reader, perhaps for ever
            throw_bad_input(
                fmt::format("{}: is a pipe, a socket or a disk where a file was expected; write to "
                            "a file, and pass that on",
                            path.string()));
        return;
    }
    // Only a trial tells for certain; and a block of data shows a disk that is full.
    constexpr std::array<char, 4096> block{};
    NeighbourFile trial(target, 0600, ErrorKind::bad_input);
    try {
        trial.file().write_all({block.data(), block.size()});
    } catch (const Error& failure) {
        throw_bad_input(fmt::format("{}: cannot be written beside: {}", path.string(), failure.what()));
    }
}

void write_atomically(const fs::path& path, std::string_view bytes) {
    const fs::path target = behind_links(path);
    if (is_special(target)) {
        OpenFile file(target, O_WRONLY, 0, ErrorKind::failed);
        file.write_all(bytes);
        file.close();
        return;
    }
    struct stat old {};
    const bool exists = stat(target.c_str(), &old) == 0;
    NeighbourFile fresh(target, 0666, ErrorKind::failed);
    if (exists) // a file that others may read stays so; not being allowed to is no reason to fail
        static_cast<void>(fchmod(fresh.file().get(), old.st_mode & 07777));
    try {
        fresh.file().write_all(bytes);
        fresh.file().sync();
        fresh.file().close();
    } catch (const Error& failure) {
        throw Error(ErrorKind::failed, fmt::format("{}: not written, what was there is unchanged: {}",
                                                   path.string(), failure.what()));
    }
    fresh.rename_to(target);
    OpenFile folder(folder_of(target), O_RDONLY | O_DIRECTORY, 0, ErrorKind::failed);
    folder.sync();
}

} // namespace tune_gemm::host
