#include "worker/crash_note.hpp"

#include "worker/guarded_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

namespace tune_gemm::host {
namespace {

constexpr std::string_view mark = "tune-gemm note: ";

std::atomic<std::size_t (*)(const void*, char*, std::size_t) noexcept> note_write{nullptr};
std::atomic<const void*> note_what{nullptr};

std::atomic<int> note_descriptor{STDERR_FILENO};

/// A line built without allocating.
class Line {
  public:
    Line& operator<<(std::string_view text) noexcept {
        const std::size_t taken = std::min(text.size(), room());
        std::copy_n(text.data(), taken, end_);
        end_ += taken;
        return *this;
    }
    std::size_t room() const noexcept {
        return static_cast<std::size_t>(text_.data() + text_.size() - 1 - end_);
    }
    char* end() noexcept { return end_; }
    void advance(std::size_t count) noexcept { end_ += std::min(count, room()); }
    void send() noexcept {
        *end_++ = '\n';
        const char* from = text_.data();
        while (from < end_) {
            const ssize_t sent = write(note_descriptor, from, static_cast<std::size_t>(end_ - from));
            if (sent <= 0)
                return; // nobody to tell
            from += sent;
        }
    }

  private:
    std::array<char, 1024> text_;
    char* end_ = text_.data();
};

void add_call(Line& line) noexcept {
    const auto write_note = note_write.load();
    if (write_note == nullptr)
        return;
    line << " in the call ";
    line.advance(write_note(note_what.load(), line.end(), line.room()));
}

/// "read" or "wrote", where the processor says which.
std::string_view verb_of([[maybe_unused]] const void* context) noexcept {
#if defined(__x86_64__)
    // Bit 1 of the page fault's error code is set for a write.
    const auto* machine = static_cast<const ucontext_t*>(context);
    return (machine->uc_mcontext.gregs[REG_ERR] & 2) != 0 ? "wrote " : "read ";
#else
    return "touched memory ";
#endif
}

void add_fault(Line& line, const siginfo_t& info, const void* context) noexcept {
    if (info.si_code <= 0) { // kill, raise
        line << "sent the signal itself,";
        return;
    }
    if (info.si_code == SI_KERNEL) {
        // No page fault: the processor refused the access itself, and gives no address.
        line << "made an access that needs more alignment than the operands have, or with an impossible "
                "address,";
        return;
    }
    line << verb_of(context);
    const std::size_t known = describe_address(info.si_addr, line.end(), line.room());
    if (known == 0) {
        const auto written =
            fmt::format_to_n(line.end(), line.room(), "at address {}, which is none of its operands",
                             static_cast<const void*>(info.si_addr));
        line.advance(written.size);
    }
    line.advance(known);
}

void tell_crash(int signal, siginfo_t* info, void* context) noexcept {
    Line line;
    line << mark;
    switch (signal) {
    case SIGSEGV:
    case SIGBUS:
        add_fault(line, *info, context);
        break;
    case SIGILL:
        line << "executed an instruction that this processor does not have,";
        break;
    case SIGFPE:
        line << "raised an arithmetic trap,";
        break;
    default:
        line << "called abort,";
        break;
    }
    add_call(line);
    line.send();
    // The default action is back (SA_RESETHAND): on return the instruction faults again and ends the process;
    // abort raises its signal a second time.
}

void tell_hang(int) noexcept {
    Line line;
    line << mark << "still busy";
    add_call(line);
    line.send();
}

void tell_exit() {
    if (note_write.load() == nullptr)
        return;
    Line line;
    line << mark << "called exit,";
    add_call(line);
    line.send();
}

} // namespace

void set_call_note(const CallNote& note) noexcept {
    // Set before and after each call of a kernel, and read on the same thread: the order needs no fence.
    note_what.store(note.what, std::memory_order_relaxed);
    note_write.store(note.write, std::memory_order_relaxed);
}

void install_crash_notes() {
    // A stack of its own: the kernel may have used up the ordinary one.
    static std::array<std::byte, 65536> stack;
    stack_t alternate{};
    alternate.ss_sp = stack.data();
    alternate.ss_size = stack.size();
    sigaltstack(&alternate, nullptr);

    struct sigaction crash {};
    crash.sa_sigaction = tell_crash;
    crash.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
    for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
        sigaction(signal, &crash, nullptr);

    struct sigaction hang {};
    hang.sa_handler = tell_hang;
    hang.sa_flags = SA_ONSTACK | SA_RESTART;
    sigaction(SIGALRM, &hang, nullptr);
    std::atexit(tell_exit);
}

void note_hang_after(std::chrono::milliseconds after) noexcept {
    itimerval timer{};
    timer.it_value.tv_sec = after.count() / 1000;
    timer.it_value.tv_usec = after.count() % 1000 * 1000;
    setitimer(ITIMER_REAL, &timer, nullptr);
}

int leave_notes_at(int descriptor) noexcept {
    return note_descriptor.exchange(descriptor);
}

std::string note_in(std::string_view output) {
    const std::size_t at = output.rfind(mark);
    if (at == std::string_view::npos)
        return {};
    const std::string_view rest = output.substr(at + mark.size());
    return std::string(rest.substr(0, rest.find('\n')));
}

} // namespace tune_gemm::host
