#include "worker/spawn.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>

extern char** environ;

namespace tune_gemm::host {
namespace {

constexpr int channel_number = 3; ///< in the worker, after standard input, output and error

void check(bool good, std::string_view action, int error) {
    if (!good)
        throw Error(ErrorKind::failed, fmt::format("A worker process cannot be started: {} failed ({}).",
                                                   action, std::strerror(error)));
}

/// The same file under a number above those that the worker's own descriptors are given, so that putting them
/// in place never overwrites one that is still needed.
Descriptor moved_up(Descriptor low) {
    Descriptor high(::fcntl(low.get(), F_DUPFD_CLOEXEC, 10));
    check(static_cast<bool>(high), "fcntl", errno);
    return high;
}

struct Ends {
    Descriptor ours, theirs;
};

Ends open_channel() {
    int numbers[2];
    check(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, numbers) == 0, "socketpair", errno);
    Descriptor ours(numbers[0]), theirs(numbers[1]);
    return {std::move(ours), moved_up(std::move(theirs))};
}

Ends open_output() {
    int numbers[2];
    check(::pipe2(numbers, O_CLOEXEC) == 0, "pipe2", errno);
    Descriptor ours(numbers[0]), theirs(numbers[1]);
    check(::fcntl(ours.get(), F_SETFL, O_NONBLOCK) == 0, "fcntl", errno);
    return {std::move(ours), moved_up(std::move(theirs))};
}

/// What posix_spawn is told, freed at the end of the scope.
class SpawnPlan {
  public:
    SpawnPlan() {
        check(::posix_spawn_file_actions_init(&actions) == 0, "posix_spawn_file_actions_init", ENOMEM);
        if (::posix_spawnattr_init(&attributes) != 0) {
            ::posix_spawn_file_actions_destroy(&actions);
            check(false, "posix_spawnattr_init", ENOMEM);
        }
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;
    ~SpawnPlan() {
        ::posix_spawnattr_destroy(&attributes);
        ::posix_spawn_file_actions_destroy(&actions);
    }

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
};

} // namespace

Child spawn_worker(const WorkerLimits& limits) {
    const std::string program = worker_executable().string();
    Ends channel = open_channel();
    Ends output = open_output();

    SpawnPlan plan;
    int error = ::posix_spawn_file_actions_addopen(&plan.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    for (const int number : {STDOUT_FILENO, STDERR_FILENO})
        error =
            error ? error : ::posix_spawn_file_actions_adddup2(&plan.actions, output.theirs.get(), number);
    error = error ? error
                  : ::posix_spawn_file_actions_adddup2(&plan.actions, channel.theirs.get(), channel_number);
    error = error ? error : ::posix_spawn_file_actions_addclosefrom_np(&plan.actions, channel_number + 1);
    check(error == 0, "preparing descriptors", error);

    // Whatever signals this process blocks or ignores, the worker starts with none of that. Its own process
    // group keeps Ctrl-C away from it and lets everything it starts be killed together.
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&plan.attributes, &none);
    ::posix_spawnattr_setsigdefault(&plan.attributes, &all);
    ::posix_spawnattr_setpgroup(&plan.attributes, 0);
    error = ::posix_spawnattr_setflags(&plan.attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                                             POSIX_SPAWN_SETSIGDEF);
    check(error == 0, "posix_spawnattr_setflags", error);

    // The words that run_worker (job.hpp) expects.
    std::string words[] = {program, "--serve", std::to_string(channel_number), std::to_string(::getpid()),
                           std::to_string(limits.memory_bytes)};
    char* arguments[std::size(words) + 1] = {};
    for (std::size_t i = 0; i < std::size(words); ++i)
        arguments[i] = words[i].data();

    Child child;
    error = ::posix_spawn(&child.id, program.c_str(), &plan.actions, &plan.attributes, arguments, environ);
    check(error == 0, fmt::format("posix_spawn of \"{}\"", program), error);
    child.channel = std::move(channel.ours);
    child.output = std::move(output.ours);
    child.process =
        Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, child.id, 0))); // close-on-exec by itself
    return child;
}

} // namespace tune_gemm::host
