// Where the worker's executable is, and what this build can limit.
#include "worker/process.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include <unistd.h>

namespace tune_gemm::host {
namespace fs = std::filesystem;
namespace {

constexpr const char* program_name = "tune-gemm-worker";

bool is_program(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

} // namespace

fs::path executable_folder() {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    return error ? fs::path() : self.parent_path();
}

fs::path worker_executable() {
    if (const char* given = ::secure_getenv("TUNE_GEMM_WORKER"); given != nullptr && *given != '\0') {
        if (is_program(given))
            return fs::absolute(given);
        throw Error(
            ErrorKind::bad_input,
            fmt::format("TUNE_GEMM_WORKER is \"{}\", which is not a program that can be run. Let it name {}, "
                        "or unset it.",
                        given, program_name));
    }
    std::vector<fs::path> places;
    if (const fs::path folder = executable_folder(); !folder.empty()) {
        places.push_back(folder / program_name);
        places.push_back((folder / TUNE_GEMM_LIBEXEC_FROM_BIN / program_name).lexically_normal());
    }
    std::string tried;
    for (const fs::path& place : places) {
        if (is_program(place))
            return place;
        tried += fmt::format("{}{}", tried.empty() ? "" : ", ", place.string());
    }
    throw Error(ErrorKind::failed,
                fmt::format("The program {} was not found; looked for {}. Install it there, or name "
                            "it in TUNE_GEMM_WORKER.",
                            program_name, tried));
}

bool address_space_limit_unusable() noexcept {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return true;
#else
    return false;
#endif
#else
    return false;
#endif
}

} // namespace tune_gemm::host
