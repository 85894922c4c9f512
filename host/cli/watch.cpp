#include "cli/watch.hpp"

#include "cli/command.hpp"
#include "report/visible.hpp"
#include "runtime/search.hpp"
#include "tune/interrupt.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <thread>

#include <sys/stat.h>

namespace tune_gemm::host {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

/// How often the file is looked at. Asked and not notified: it works on every file system, and whichever way
/// the file is replaced.
constexpr auto looking_interval = 50ms;
/// How long it must have stayed as it is. A linker writes in pieces, and make may run it twice in a row.
constexpr auto quiet_time = 250ms;
/// How long it must have been gone before that is told: linkers remove a file before they write it.
constexpr auto gone_time = 2s;

/// What changes with whatever happens to the file. The inode's own time is in it, since a copy may have
/// another's size and time of writing, and since chmod can change what `check` says, too.
struct FileState {
    bool there = false;
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = 0;
    std::int64_t written_ns = 0, changed_ns = 0;
    bool operator==(const FileState&) const = default;
};

std::int64_t nanoseconds(const timespec& time) noexcept {
    return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

FileState state_of(const fs::path& path) noexcept {
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0)
        return {};
    return {true,
            found.st_dev,
            found.st_ino,
            found.st_size,
            nanoseconds(found.st_mtim),
            nanoseconds(found.st_ctim)};
}

/// The state of the file once it has held for a while; nothing when the user wants to end.
std::optional<FileState> settled_state(const fs::path& path) {
    FileState state = state_of(path);
    for (Clock::time_point since = Clock::now(); !InterruptGuard::interrupted();) {
        if (Clock::now() - since >= (state.there ? Clock::duration(quiet_time) : Clock::duration(gone_time)))
            return state;
        std::this_thread::sleep_for(looking_interval);
        if (const FileState now = state_of(path); now != state) {
            state = now;
            since = Clock::now();
        }
    }
    return {};
}

void require_watchable(const fs::path& path) {
    std::error_code error;
    if (fs::is_directory(path, error))
        throw_bad_input(fmt::format("{}: it is a folder; --watch needs one file.", path.string()));
    if (const fs::path folder = absolute_path(path).parent_path(); !fs::is_directory(folder, error))
        throw_bad_input(fmt::format("{}: there is no folder {}, so --watch would wait for ever.",
                                    path.string(), folder.string()));
}

/// Shown at once, whatever standard output is. Throws when it takes nothing any more: nobody would ever see
/// what is found.
void print_now(const std::string& text) {
    const std::string shown = visible(text);
    if (std::fwrite(shown.data(), 1, shown.size(), stdout) != shown.size() || std::fflush(stdout) != 0)
        throw Error(ErrorKind::failed, output_lost);
}

} // namespace

int watch_file(const fs::path& path,
               const std::function<std::optional<WatchedRun>(const std::function<bool()>&)>& run) {
    require_watchable(path);
    const InterruptGuard guard;
    int exit_code = exit_code_of(ErrorKind::interrupted);
    std::optional<FileState> seen;
    for (int number = 1; const auto state = settled_state(path);) {
        if (seen == state)
            continue;
        const std::string time =
            fmt::format("[{:%H:%M:%S}] {}", fmt::localtime(std::time(nullptr)), path.string());
        seen = state;
        if (!state->there) {
            print_now(fmt::format("{}: it is not there. Waiting for it; Ctrl-C ends.\n\n", time));
            exit_code = exit_code_of(ErrorKind::bad_input);
            continue;
        }
        print_now(fmt::format("{}, run {}\n", time, number++));
        const auto stopped = [&] { return InterruptGuard::interrupted() || state_of(path) != *state; };
        std::optional<WatchedRun> result;
        try {
            result = run(stopped);
        } catch (const Error& error) {
            if (!stopped()) // otherwise what it stumbled over is perhaps the change
                result = WatchedRun{fmt::format("{}\n", error.what()), exit_code_of(error.kind())};
        }
        if (!result && InterruptGuard::interrupted()) {
            print_now("Interrupted before the checks had ended; nothing is proved.\n");
            return exit_code_of(ErrorKind::interrupted);
        }
        if (!result) {
            print_now("The file changed while it was checked; it is checked again.\n\n");
            continue;
        }
        print_now(result->text + "Waiting for the next change; Ctrl-C ends.\n\n");
        exit_code = result->exit_code;
    }
    return exit_code;
}

} // namespace tune_gemm::host
