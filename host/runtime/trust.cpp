#include "runtime/trust.hpp"

#include "store/open_file.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <cerrno>

#include <sys/stat.h>
#include <unistd.h>

namespace tune_gemm::host {
namespace fs = std::filesystem;
namespace {

std::string distrust_one(const fs::path& path) {
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0)
        throw_bad_input(system_sentence(path, "looked at", errno));
    const char* advice = "or allow it with --allow-unsafe-path";
    if (found.st_uid != 0 && found.st_uid != ::geteuid())
        return fmt::format(
            "{} belongs to user {}, who is neither this user ({}) nor root; change its owner, {}.",
            path.string(), found.st_uid, ::geteuid(), advice);
    const bool sticky_folder = S_ISDIR(found.st_mode) && (found.st_mode & S_ISVTX);
    const mode_t writers = found.st_mode & (S_IWGRP | S_IWOTH);
    if (writers == 0 || sticky_folder)
        return {};
    return fmt::format("{} can be written by {} (mode {:04o}); take that right away with chmod {}, {}.",
                       path.string(), (writers & S_IWOTH) ? "everybody" : "its group", found.st_mode & 07777u,
                       (writers & S_IWOTH) ? "go-w" : "g-w", advice);
}

/// The path and every folder above it.
std::string distrust_chain(fs::path path) {
    for (;; path = path.parent_path()) {
        if (std::string why = distrust_one(path); !why.empty())
            return why;
        if (path == path.parent_path())
            return {};
    }
}

} // namespace

std::string distrust(const fs::path& path) {
    std::error_code error;
    const fs::path target = fs::canonical(path, error);
    if (error)
        throw_bad_input(system_sentence(path, "looked at", error.value()));
    if (std::string why = distrust_chain(target); !why.empty())
        return why;
    // A link is as good as the folder that it lies in.
    const fs::path folder = fs::canonical(fs::absolute(path).parent_path(), error);
    return error ? std::string() : distrust_chain(folder);
}

} // namespace tune_gemm::host
