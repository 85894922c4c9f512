#include "conformance/process_state.hpp"

#include "runtime/entry.hpp"
#include "worker/crash_note.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <utility>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace tune_gemm::host {
namespace {

using Facts = std::map<std::string, std::string>;

/// The names in a folder of /proc.
std::vector<std::string> names_in(const char* folder, bool of_descriptors) {
    std::vector<std::string> names;
    DIR* const opened = ::opendir(folder);
    if (opened == nullptr)
        return names;
    const std::string own = of_descriptors ? std::to_string(::dirfd(opened)) : ""; // what reading takes
    while (const dirent* entry = ::readdir(opened)) {
        const std::string name = entry->d_name;
        if (name != "." && name != ".." && name != own)
            names.push_back(name);
    }
    ::closedir(opened);
    std::sort(names.begin(), names.end());
    return names;
}

void add_descriptors(Facts& facts) {
    for (const std::string& name : names_in("/proc/self/fd", true)) {
        std::array<char, 512> target{};
        if (::readlink(("/proc/self/fd/" + name).c_str(), target.data(), target.size() - 1) > 0)
            facts["descriptor " + name] = target.data();
    }
}

std::string text_of(const sigset_t& set) {
    std::string text;
    for (int signal = 1; signal < NSIG; ++signal)
        if (::sigismember(&set, signal) == 1)
            text += fmt::format("{}{}", text.empty() ? "" : " ", signal);
    return text.empty() ? "no signals" : text;
}

void add_signals(Facts& facts) {
    for (int signal = 1; signal < NSIG; ++signal) {
        struct sigaction action {};
        if (::sigaction(signal, nullptr, &action) != 0)
            continue; // those that the C library keeps for itself
        facts[fmt::format("the action of signal {}", signal)] =
            action.sa_handler == SIG_DFL   ? "default"
            : action.sa_handler == SIG_IGN ? "ignored"
                                           : fmt::format("a function at {} (flags {:#x}, blocking {})",
                                                         reinterpret_cast<void*>(action.sa_handler),
                                                         action.sa_flags, text_of(action.sa_mask));
    }
    sigset_t mask;
    ::pthread_sigmask(SIG_BLOCK, nullptr, &mask);
    facts["the signal mask"] = text_of(mask);
    stack_t stack{};
    ::sigaltstack(nullptr, &stack);
    facts["the signal stack"] = fmt::format("{} bytes at {}", stack.ss_size, stack.ss_sp);
}

void add_scheduling(Facts& facts) {
    cpu_set_t set;
    CPU_ZERO(&set);
    ::sched_getaffinity(0, sizeof set, &set);
    std::string processors;
    for (int processor = 0; processor < CPU_SETSIZE; ++processor)
        if (CPU_ISSET(processor, &set))
            processors += fmt::format("{}{}", processors.empty() ? "" : " ", processor);
    facts["the processors allowed"] = processors;
    facts["the priority"] = std::to_string(::getpriority(PRIO_PROCESS, 0));
    facts["the scheduling policy"] = std::to_string(::sched_getscheduler(0));
}

void add_limits(Facts& facts) {
    for (int resource = 0; resource < RLIM_NLIMITS; ++resource) {
        rlimit limit{};
        if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) == 0)
            facts[fmt::format("resource limit {}", resource)] =
                fmt::format("{} of {}", limit.rlim_cur, limit.rlim_max);
    }
}

/// Timers that would end the process later, but for the real one, which this program uses itself; and the
/// name that the thread goes by.
void add_timers_and_name(Facts& facts) {
    constexpr std::array<std::pair<__itimer_which_t, const char*>, 2> timers{
        {{ITIMER_VIRTUAL, "virtual"}, {ITIMER_PROF, "profiling"}}};
    for (const auto& [which, name] : timers) {
        itimerval timer{};
        if (::getitimer(which, &timer) == 0)
            facts[fmt::format("the {} timer", name)] =
                timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0 ? "off" : "running";
    }
    std::array<char, 17> name{};
    facts["the name of the thread"] = ::prctl(PR_GET_NAME, name.data()) == 0 ? name.data() : "unknown";
}

void add_environment(Facts& facts) {
    for (char** line = environ; line != nullptr && *line != nullptr; ++line) {
        const std::string text = *line;
        const std::size_t sign = text.find('=');
        facts["environment variable " + text.substr(0, sign)] =
            sign == std::string::npos ? "" : text.substr(sign + 1);
    }
}

/// Read, not set and put back: another thread might create a file in between.
std::string umask_text() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("Umask:"))
            return line.substr(line.find_first_not_of(" \t", 6));
    return "unknown";
}

/// x86-64: whether this process has asked for the data of AMX, which makes every context that the system
/// saves larger, for good.
std::string tiles_text() {
#if defined(__x86_64__) && defined(SYS_arch_prctl)
    constexpr int ask_permitted = 0x1022, tile_data = 18; // ARCH_GET_XCOMP_PERM, of linux/arch_prctl
    std::uint64_t permitted = 0;
    if (::syscall(SYS_arch_prctl, ask_permitted, &permitted) == 0)
        return (permitted >> tile_data & 1) != 0 ? "given" : "none";
#endif
    return "unknown";
}

std::string children_text() {
    siginfo_t info{};
    return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD ? "none" : "some";
}

} // namespace

ProcessState ProcessState::now() {
    ProcessState state;
    Facts& facts = state.facts_;
    add_descriptors(facts);
    add_signals(facts);
    add_scheduling(facts);
    add_limits(facts);
    add_timers_and_name(facts);
    add_environment(facts);
    const auto tasks = names_in("/proc/self/task", false);
    facts[threads] = std::to_string(tasks.size());
    const char* locale = std::setlocale(LC_ALL, nullptr);
    facts["the locale"] = locale == nullptr ? "unknown" : locale;
    std::array<char, 4096> folder{};
    facts["the working folder"] =
        ::getcwd(folder.data(), folder.size()) == nullptr ? "unknown" : folder.data();
    facts["the umask"] = umask_text();
    facts["child processes"] = children_text();
    facts[tiles] = tiles_text();
    return state;
}

std::string ProcessState::difference(const ProcessState& later) const {
    for (const auto& [name, value] : facts_) {
        const auto now = later.facts_.find(name);
        if (now == later.facts_.end() && name != threads && name != tiles)
            return fmt::format("{} from {} to nothing", name, value);
        // A thread that has been joined may be seen a moment longer: fewer are no difference.
        if (now != later.facts_.end() && now->second != value &&
            (name != threads || std::stol(now->second) > std::stol(value)))
            return fmt::format("{} from {} to {}", name, value, now->second);
    }
    for (const auto& [name, value] : later.facts_)
        if (!facts_.contains(name) && name != threads && name != tiles)
            return fmt::format("{} from nothing to {}", name, value);
    return {};
}

CaughtOutput::CaughtOutput() {
    std::fflush(nullptr);
    memory_ = ::memfd_create("tune_gemm_output", MFD_CLOEXEC);
    own_out_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
    own_error_ = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);
    if (memory_ < 0 || own_out_ < 0 || own_error_ < 0 || ::dup2(memory_, STDOUT_FILENO) < 0 ||
        ::dup2(memory_, STDERR_FILENO) < 0)
        throw Error(ErrorKind::failed,
                    fmt::format("Standard output cannot be led elsewhere ({}).", std::strerror(errno)));
    notes_before_ = leave_notes_at(own_error_);
    log_before_ = log_to(own_error_);
}

CaughtOutput::~CaughtOutput() {
    std::fflush(nullptr);
    leave_notes_at(notes_before_);
    log_to(log_before_);
    ::dup2(own_out_, STDOUT_FILENO);
    ::dup2(own_error_, STDERR_FILENO);
    std::array<char, 4096> piece;
    ::lseek(memory_, 0, SEEK_SET);
    for (ssize_t got; (got = ::read(memory_, piece.data(), piece.size())) > 0;)
        if (::write(STDERR_FILENO, piece.data(), static_cast<std::size_t>(got)) < 0)
            break; // nobody to tell
    for (const int descriptor : {memory_, own_out_, own_error_})
        ::close(descriptor);
}

std::string CaughtOutput::text() const {
    std::fflush(nullptr);
    std::array<char, 200> piece;
    const ssize_t got = ::pread(memory_, piece.data(), piece.size(), 0);
    std::string text(piece.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return text;
}

} // namespace tune_gemm::host
