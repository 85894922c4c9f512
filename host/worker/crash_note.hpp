// The last words of a worker: what was being done when a kernel crashed or hung.
//
// A signal handler writes one line on standard error, which the parent has captured: which guarded block was
// touched, where, and in which call. It uses only what it finds in memory, and then lets the signal kill the
// process.
#pragma once
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace tune_gemm::host {

/// Says what is being done, in a few words, for a note. `write` puts at most `room` bytes at `out` and
/// returns how many it put there; it is called in a signal handler, so it neither allocates nor takes locks.
struct CallNote {
    std::size_t (*write)(const void* what, char* out, std::size_t room) noexcept = nullptr;
    const void* what = nullptr;
};

/// From now on `note` tells what is being done; {} when nothing is. What it points to outlives it.
void set_call_note(const CallNote& note) noexcept;

/// Makes SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT and a call of exit leave a note. [once a process, from its
/// main thread]
void install_crash_notes();

/// Leaves a note, and goes on, when `after` has passed; zero takes the order back. For the watchdog in the
/// parent can only kill: it does not know where the kernel hangs.
void note_hang_after(std::chrono::milliseconds after) noexcept;

/// Where notes go; standard error to begin with. Returns where they went before.
int leave_notes_at(int descriptor) noexcept;

/// The last note in what a worker printed, without its mark; empty when there is none.
std::string note_in(std::string_view output);

} // namespace tune_gemm::host
