// Guarded memory: where blocks lie, what faults, and what is seen to have changed.
#include "worker/crash_note.hpp"
#include "worker/guarded_memory.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <csignal>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using namespace tune_gemm::host;

namespace {

/// What a child says on standard error, and how it ends, when it does that.
template <class Action>
std::pair<std::string, int> in_child(Action action) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        alarm(20);
        install_crash_notes();
        action();
        _exit(0);
    }
    close(ends[1]);
    std::string said;
    char part[256];
    for (ssize_t got; (got = read(ends[0], part, sizeof part)) > 0;)
        said.append(part, static_cast<std::size_t>(got));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return {note_in(said), status};
}

bool ended_by(int status, int signal) {
    return WIFSIGNALED(status) && WTERMSIG(status) == signal;
}

std::size_t write_words(const void* what, char* out, std::size_t room) noexcept {
    const std::size_t length = std::min(std::strlen(static_cast<const char*>(what)), room);
    std::memcpy(out, what, length);
    return length;
}

} // namespace

TEST_CASE("a block ends, or begins, at a page that cannot be touched") {
    GuardedMemory memory("A", 5000, GuardedMemory::Rights::read_write, 8);
    for (const auto placement : {Placement::flush_end, Placement::flush_start}) {
        const GuardedBlock block = memory.place(24, {placement, 8});
        CHECK(reinterpret_cast<std::uintptr_t>(block.seen) % 8 == 0);
        volatile std::byte* inside = block.seen;
        inside[0] = std::byte{1}; // does not fault
        inside[23] = std::byte{2};
        CHECK(block.own[0] == std::byte{1});
        CHECK(block.own[23] == std::byte{2});
        memory.restore();
        const bool at_end = placement == Placement::flush_end;
        const auto [note, status] = in_child(
            [&] { static_cast<void>(*const_cast<volatile std::byte*>(block.seen + (at_end ? 24 : -1))); });
        CHECK(ended_by(status, SIGSEGV));
#if defined(__x86_64__)
        CHECK(note == (at_end ? "read 0 bytes past the end of A" : "read 1 bytes before the start of A"));
#endif
    }
}

TEST_CASE("what is read-only cannot be written through the address handed out, but by its owner") {
    GuardedMemory memory("B", 64, GuardedMemory::Rights::read_only, 8);
    const GuardedBlock block = memory.place(16, {});
    block.own[3] = std::byte{7};
    CHECK(block.seen[3] == std::byte{7});
    const auto [note, status] =
        in_child([&] { const_cast<volatile std::byte*>(block.seen)[8] = std::byte{0}; });
    CHECK(ended_by(status, SIGSEGV));
#if defined(__x86_64__)
    CHECK(note == "wrote at byte 8 of B");
#endif
}

TEST_CASE("an empty block cannot be touched at all") {
    GuardedMemory memory("A", 64, GuardedMemory::Rights::read_write, 8);
    for (const auto placement : {Placement::flush_end, Placement::flush_start}) {
        const GuardedBlock block = memory.place(0, {placement});
        const auto [note, status] =
            in_child([&] { static_cast<void>(*const_cast<volatile std::byte*>(block.seen)); });
        CHECK(ended_by(status, SIGSEGV));
        CHECK(note.find("A, which has no elements") != std::string::npos);
    }
}

TEST_CASE("alignment, residue and shift place a block as asked, and no nearer") {
    GuardedMemory memory("C", 4096, GuardedMemory::Rights::read_write, 8);
    const auto address = [&](const Spot& spot) {
        return reinterpret_cast<std::uintptr_t>(memory.place(72, spot).seen);
    };
    const std::uintptr_t end = address({Placement::flush_end, 8}) + 72;
    CHECK(address({Placement::flush_end, 64}) % 64 == 0);
    CHECK(address({Placement::flush_end, 64}) + 72 + 64 > end);
    CHECK(address({Placement::flush_end, 64, 24}) % 64 == 24);
    CHECK(address({Placement::flush_end, 8, 0, 16}) + 72 + 16 == end);
    const std::uintptr_t start = address({Placement::flush_start, 8});
    CHECK(address({Placement::flush_start, 64, 24}) == start + 24);
    CHECK(address({Placement::flush_start, 8, 0, 40}) == start + 40);
    CHECK_THROWS(memory.place(1 << 20, {}));
}

TEST_CASE("canaries are signalling NaNs that differ from place to place") {
    for (const std::int64_t size : {4, 8}) {
        GuardedMemory memory("C", 256, GuardedMemory::Rights::read_write, size);
        const GuardedBlock block = memory.place(32, {Placement::flush_end, 8});
        if (size == 8) {
            double values[4];
            std::memcpy(values, block.seen, sizeof values);
            std::uint64_t bits[4];
            std::memcpy(bits, block.seen, sizeof bits);
            CHECK(std::isnan(values[0]));
            CHECK((bits[0] & 0x0008000000000000u) == 0); // not quiet
            CHECK(bits[0] != bits[1]);
        } else {
            float values[8];
            std::memcpy(values, block.seen, sizeof values);
            for (const float value : values)
                CHECK(std::isnan(value));
            CHECK(std::memcmp(&values[0], &values[1], sizeof(float)) != 0);
        }
    }
}

TEST_CASE("a changed byte is found, in the block, around it and far away") {
    GuardedMemory memory("C", 4096, GuardedMemory::Rights::read_write, 8);
    const GuardedBlock block = memory.place(64, {Placement::flush_end, 8, 0, 128});
    CHECK_FALSE(memory.disturbed(64));
    block.seen[10] = std::byte{0};
    CHECK(memory.disturbed(64) == 10);
    CHECK(memory.disturbed_around(64).empty());
    memory.restore();
    block.seen[-3] = std::byte{0};
    CHECK(memory.disturbed(64) == -3);
    CHECK(memory.disturbed_around(64) == "3 bytes before the start of C");
    CHECK_FALSE(memory.disturbed(2));
    memory.restore(64);
    block.seen[64] = std::byte{0};
    CHECK(memory.disturbed_around(64) == "0 bytes past the end of C");
    memory.restore(64);
    CHECK_FALSE(memory.disturbed_anywhere());
    // Copying a canary from its neighbour is a change, too.
    std::memcpy(block.seen + 72, block.seen + 80, 8);
    CHECK(memory.disturbed_anywhere());
    CHECK(memory.disturbed_anywhere().value() >= 72);
}

TEST_CASE("a note tells the call, for a crash, an exit and a hang") {
    const char* words = "m=3 n=5";
    const CallNote note{write_words, words};
    GuardedMemory memory("A", 64, GuardedMemory::Rights::read_only, 8);
    const auto crashed = in_child([&] {
        set_call_note(note);
        static_cast<void>(*static_cast<const volatile char*>(memory.outside()));
    });
    CHECK(crashed.first.find("in the call m=3 n=5") != std::string::npos);
    CHECK(ended_by(crashed.second, SIGSEGV));
    const auto aborted = in_child([&] {
        set_call_note(note);
        std::abort();
    });
    CHECK(aborted.first == "called abort, in the call m=3 n=5");
    CHECK(ended_by(aborted.second, SIGABRT));
    const auto exited = in_child([&] {
        set_call_note(note);
        std::exit(0);
    });
    CHECK(exited.first == "called exit, in the call m=3 n=5");
    CHECK(WIFEXITED(exited.second));
    const auto hung = in_child([&] {
        set_call_note(note);
        note_hang_after(std::chrono::milliseconds(20));
        usleep(200000);
    });
    CHECK(hung.first == "still busy in the call m=3 n=5");
    CHECK(hung.second == 0); // it goes on
    CHECK(note_in("some text\nand more\n").empty());
}
