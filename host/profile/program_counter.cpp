#include "profile/program_counter.hpp"

#include "measure/clock.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>

#include <dlfcn.h>
#include <sys/time.h>
#include <ucontext.h>

namespace tune_gemm::host {
namespace {

constexpr std::size_t enough = 300;
constexpr suseconds_t interval_us = 211; // no divisor of anything that a kernel might do
constexpr std::int64_t longest_ns = 1'000'000'000;

std::array<std::uintptr_t, enough> counters;
std::atomic<std::size_t> taken{0};

void take_sample(int, siginfo_t*, void* context) noexcept {
    const std::size_t at = taken.load(std::memory_order_relaxed);
    if (at == enough)
        return;
    const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    counters[at] = static_cast<std::uintptr_t>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
    counters[at] = machine.pc;
#else
    static_cast<void>(machine);
    return;
#endif
    taken.store(at + 1, std::memory_order_relaxed);
}

/// The timer and its signal, as long as it lives.
class Timer {
  public:
    Timer() {
        // A stack of its own: a kernel may use the stack pointer for something else.
        static std::array<std::byte, 65536> stack;
        stack_t alternate{};
        alternate.ss_sp = stack.data();
        alternate.ss_size = stack.size();
        ::sigaltstack(&alternate, &stack_before_);
        struct sigaction action {};
        action.sa_sigaction = take_sample;
        action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
        ::sigaction(SIGALRM, &action, &action_before_);
        const itimerval every{{0, interval_us}, {0, interval_us}};
        ::setitimer(ITIMER_REAL, &every, nullptr);
    }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;
    ~Timer() {
        const itimerval never{};
        ::setitimer(ITIMER_REAL, &never, nullptr);
        // One may be under way still, and its default action ends the process.
        if (action_before_.sa_handler == SIG_DFL)
            action_before_.sa_handler = SIG_IGN;
        ::sigaction(SIGALRM, &action_before_, nullptr);
        ::sigaltstack(&stack_before_, nullptr);
    }

  private:
    stack_t stack_before_{};
    struct sigaction action_before_ {};
};

} // namespace

CodeSamples sample_code(const Contestant& call, const void* function) {
    taken = 0;
    {
        const Timer timer;
        const std::int64_t end = now_ns() + longest_ns;
        while (taken < enough && now_ns() < end)
            call();
    }
    CodeSamples samples;
    samples.taken = static_cast<int>(taken.load());
    Dl_info file{};
    if (::dladdr(function, &file) == 0)
        return samples;
    for (int at = 0; at < samples.taken; ++at) {
        const std::uintptr_t counter = counters[static_cast<std::size_t>(at)];
        Dl_info info{};
        if (::dladdr(reinterpret_cast<const void*>(counter), &info) != 0 && info.dli_fbase == file.dli_fbase)
            ++samples.in_file[counter - reinterpret_cast<std::uintptr_t>(file.dli_fbase)];
    }
    return samples;
}

} // namespace tune_gemm::host
