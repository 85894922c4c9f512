// main() of a worker: what it does to itself before the first job.
#include "worker/job.hpp"
#include "worker/process.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__clang__)
// In a build with sanitizers a crash shall be a crash, not the sanitizer's exit; and an allocation that
// cannot be had a null pointer, as everywhere else.
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
    return "handle_segv=0:handle_sigbus=0:handle_sigill=0:handle_sigfpe=0:handle_abort=0:allocator_may_"
           "return_null=1";
}
#endif

namespace tune_gemm::host {
namespace {

std::optional<std::int64_t> number_of(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 0)
        return {};
    return number;
}

void limit(int resource, rlim_t value) {
    rlimit now{};
    ::getrlimit(static_cast<__rlimit_resource_t>(resource), &now);
    value = std::min(value, now.rlim_max);
    const rlimit wanted{value, value};
    if (::setrlimit(static_cast<__rlimit_resource_t>(resource), &wanted) != 0)
        throw Error(ErrorKind::failed, fmt::format("setrlimit failed ({})", std::strerror(errno)));
}

/// Bytes of address space in use.
std::uint64_t address_space() {
    std::uint64_t pages = 0;
    if (!(std::ifstream("/proc/self/statm") >> pages))
        throw Error(ErrorKind::failed, "/proc/self/statm cannot be read, so memory cannot be limited");
    return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void prepare_process(std::int64_t memory_bytes) {
    // A crash is an everyday event here. 1 rather than 0: the kernel passes a core to a crash handler behind
    // a pipe whatever the limit is, except for 1.
    limit(RLIMIT_CORE, 1);
    if (memory_bytes > 0 && !address_space_limit_unusable())
        limit(RLIMIT_AS, address_space() + static_cast<std::uint64_t>(memory_bytes));
    // When memory runs out all the same, the system shall end the worker and not the program that started it.
    std::ofstream("/proc/self/oom_score_adj") << "1000";
    // What a kernel prints before it crashes shall not be lost in a buffer.
    std::setvbuf(stdout, nullptr, _IONBF, 0);
}

} // namespace

int run_worker(int argc, char** argv, std::span<const Job> jobs) {
    const auto channel = argc == 5 ? number_of(argv[2]) : std::nullopt;
    const auto parent = argc == 5 ? number_of(argv[3]) : std::nullopt;
    const auto memory = argc == 5 ? number_of(argv[4]) : std::nullopt;
    if (!channel || !parent || !memory || std::string_view(argv[1]) != "--serve" ||
        ::fcntl(static_cast<int>(*channel), F_SETFD, FD_CLOEXEC) != 0) {
        fmt::print(
            stderr,
            "This program is started by tune-gemm, for one task at a time; it has no use by itself.\n");
        return 2;
    }
    // A process that a plugin starts behind another's back comes to this one when the other ends, and shows.
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    // Set first, then looked at: between the two questions the parent cannot die unnoticed.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != *parent)
        return 1;
    try {
        prepare_process(*memory);
        return serve_jobs(jobs, static_cast<int>(*channel), static_cast<int>(*channel));
    } catch (const std::exception& problem) {
        std::fputs(fmt::format("tune-gemm-worker: {}\n", problem.what()).c_str(), stderr);
        return 3;
    }
}

} // namespace tune_gemm::host
