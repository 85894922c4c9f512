// Judging a file before the system's loader sees it. The loader trusts what a file says of itself: a
// truncated library is a SIGBUS, and a FIFO is waited for.
#pragma once
#include <cstdint>
#include <filesystem>

#include <sys/types.h>
#include <time.h>

namespace tune_gemm::host {

/// Which file this is, and whether it has been written to since.
struct FileIdentity {
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = 0;
    std::int64_t modified_ns = 0; ///< not the inode's change: a new link to a file does not change it
    bool operator==(const FileIdentity&) const = default;

    bool same_file(const FileIdentity& other) const noexcept {
        return device == other.device && inode == other.inode;
    }
};

/// Throws Error (bad_input) naming the path and what is there instead when it is no regular file: nothing, a
/// link that leads nowhere, a folder, a FIFO, a device.
FileIdentity identify_file(const std::filesystem::path&);

/// Throws Error (failed) when the file is no whole shared library of this architecture, or one that needs
/// what no plugin needs: an executable stack, or relocations in its code. Runs nothing of it.
void check_library_file(const std::filesystem::path&);

} // namespace tune_gemm::host
