#include "quiet_start.hpp"

#include <fcntl.h>
#include <libxsmm.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace tune_gemm::baselines {
namespace {

/// The descriptor that the next file opened will get.
int next_descriptor() noexcept {
    const int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0)
        close(descriptor);
    return descriptor;
}

/// Whether the descriptor is open on that file.
bool is_open_on(int descriptor, const char* path) noexcept {
    struct stat opened {
    }, named{};
    return fstat(descriptor, &opened) == 0 && stat(path, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

} // namespace

void start_libxsmm_quietly() noexcept {
    const bool had_binding = std::getenv("OMP_PROC_BIND") != nullptr;
    const int descriptor = next_descriptor();
    libxsmm_init();
    if (!had_binding)
        unsetenv("OMP_PROC_BIND");
    char lock_file[64];
    std::snprintf(lock_file, sizeof lock_file, "/tmp/.libxsmm.%u", static_cast<unsigned>(getuid()));
    if (descriptor >= 0 && is_open_on(descriptor, lock_file))
        close(descriptor);
}

} // namespace tune_gemm::baselines
