// What the checks of process, memory and forks look with: each shown something to see.
#include "conformance/allocation.hpp"
#include "conformance/fork_trial.hpp"
#include "conformance/process_state.hpp"
#include "conformance/tally.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace tune_gemm::host;

namespace {

/// What has changed since `before` after `change`.
template <class Change>
std::string difference_after(Change change) {
    const ProcessState before = ProcessState::now();
    change();
    return before.difference(ProcessState::now());
}

/// Through a volatile pointer, lest the compiler leave the pair out.
void* volatile block = nullptr;

} // namespace

TEST_CASE("a process that is left alone has not changed") {
    CHECK(difference_after([] {}) == "");
}

TEST_CASE("a changed process is told by what changed") {
    CHECK(difference_after([] { setenv("TUNE_GEMM_TEST_VARIABLE", "1", 1); }) ==
          "environment variable TUNE_GEMM_TEST_VARIABLE from nothing to 1");
    CHECK(difference_after([] { unsetenv("TUNE_GEMM_TEST_VARIABLE"); }) ==
          "environment variable TUNE_GEMM_TEST_VARIABLE from 1 to nothing");
    int opened = -1;
    const std::string told = difference_after([&] { opened = open("/dev/null", O_RDONLY); });
    CHECK(told == "descriptor " + std::to_string(opened) + " from nothing to /dev/null");
    close(opened);
    sigset_t one, before;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR2);
    CHECK(difference_after([&] {
              pthread_sigmask(SIG_BLOCK, &one, &before);
          }).find("the signal mask from no signals to 12") != std::string::npos);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_CASE("output is caught while it is looked for, and goes on afterwards") {
    std::string text;
    const int copy = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY);
    dup2(null, STDERR_FILENO); // what was caught is printed there in the end
    {
        const CaughtOutput output;
        CHECK(output.text() == "");
        std::fputs("to error\n", stderr);
        std::puts("to output");
        text = output.text();
    }
    dup2(copy, STDERR_FILENO);
    close(copy), close(null);
    CHECK(text == "to error?to output?");
}

TEST_CASE("allocations are counted, whoever frees them, and refused") {
    if (no_allocation_count() != nullptr)
        return;
    const AllocationWatch watch;
    block = std::malloc(100);
    CHECK(watch.so_far().calls == 1);
    CHECK(watch.so_far().blocks == 1);
    CHECK(watch.so_far().bytes >= 100);
    block = std::realloc(block, 200);
    CHECK(watch.so_far().blocks == 1);
    std::free(block);
    CHECK(watch.so_far().blocks == 0);
    CHECK(watch.so_far().bytes == 0);
    block = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(watch.so_far().blocks == 1);
    munmap(block, 4096);
    CHECK(watch.so_far().bytes == 0);
    const std::int64_t before = watch.so_far().blocks;
    auto* number = new int(7);
    block = number;
    std::thread([number] { delete number; }).join();
    CHECK(watch.so_far().blocks == before);
}

TEST_CASE("a refused allocation is a null pointer, and so are those after it") {
    if (no_allocation_count() != nullptr)
        return;
    bool first = false, second = false, third = false;
    std::int64_t refused = 0;
    {
        AllocationWatch watch;
        watch.refuse_from(2);
        block = std::malloc(8);
        first = block != nullptr;
        std::free(block);
        block = std::malloc(8);
        second = block != nullptr;
        block = std::calloc(1, 8);
        third = block != nullptr;
        refused = watch.refused();
    }
    CHECK(first);
    CHECK_FALSE(second);
    CHECK_FALSE(third);
    CHECK(refused == 2);
}

TEST_CASE("what comes of a fork is told") {
    CHECK(try_in_fork([] {}) == "");
    CHECK(try_in_fork([] { fail_check("Wrong in the child."); }) == "Wrong in the child.");
    CHECK(try_in_fork([] { std::raise(SIGKILL); }).find("ended with signal 9") != std::string::npos);
    CHECK(try_in_fork([] { _exit(0); }).find("exited with status 0") != std::string::npos);
}
