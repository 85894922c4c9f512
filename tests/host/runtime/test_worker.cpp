// A worker for the tests: jobs that misbehave in every way that the host must live through.
#include "runtime/describe_job.hpp"
#include "worker/job.hpp"

#include <tune_gemm/error.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

namespace {

namespace json = tune_gemm::json;
using json::Field;
using json::value;

constexpr int channel = 3;

value echo(const Field& request) {
    return request.raw();
}

value refuse(const Field& request) {
    throw tune_gemm::Error(tune_gemm::ErrorKind::unavailable, "refused: " + request["why"].string());
}

value throw_something(const Field&) {
    throw std::logic_error("not foreseen");
}

value crash(const Field&) {
    ::signal(SIGSEGV, SIG_DFL);
    ::raise(SIGSEGV);
    return {};
}

value call_abort(const Field&) {
    std::abort();
}

value call_exit(const Field& request) {
    std::exit(static_cast<int>(request["status"].integer(0, 255)));
}

value hang(const Field&) {
    for (;;)
        ::pause();
}

/// A child that outlives the crash of its parent and holds all its descriptors.
value fork_and_crash(const Field&) {
    if (::fork() == 0)
        for (;;)
            ::pause();
    return crash(Field(value(), ""));
}

/// Answers with the number of a child that goes on.
value fork_child(const Field&) {
    const pid_t child = ::fork();
    if (child == 0)
        for (;;)
            ::pause();
    return child;
}

value flood(const Field& request) {
    const std::string line(1023, 'x');
    for (std::int64_t i = 0; i < request["kilobytes"].integer(0, 1 << 20); ++i)
        std::puts(line.c_str());
    return "done";
}

value print(const Field& request) {
    std::printf("%s", request["text"].string().c_str()); // no newline: nothing may stay in a buffer
    std::fprintf(stderr, "|stderr");
    return {};
}

value grab_memory(const Field& request) {
    const auto bytes = static_cast<std::size_t>(request["bytes"].integer(0, std::int64_t{1} << 40));
    void* memory = std::malloc(bytes);
    const bool had = memory != nullptr;
    if (had)
        *static_cast<volatile char*>(memory) = 1; // or the compiler would see that nobody needs the memory
    std::free(memory);
    return had;
}

value grab_with_new(const Field& request) {
    const auto bytes = static_cast<std::size_t>(request["bytes"].integer(0, std::int64_t{1} << 40));
    return static_cast<std::int64_t>(std::string(bytes, 'x').size());
}

/// Writes bytes of its own on the channel; then hangs, or answers.
value scribble(const Field& request) {
    const std::string text = request["text"].string();
    if (::write(channel, text.data(), text.size()) < 0)
        throw std::runtime_error("no channel");
    return request["answer"].boolean() ? value("done") : hang(request);
}

value close_channel(const Field&) {
    ::close(channel);
    for (;;)
        ::pause();
}

value answer_twice(const Field&) {
    ::fork(); // both go on and answer
    return "done";
}

/// How the worker finds itself.
value describe_self(const Field&) {
    json::array descriptors;
    for (int i = 0; i < 64; ++i)
        if (::fcntl(i, F_GETFD) >= 0)
            descriptors.push_back(i);
    rlimit core{};
    ::getrlimit(RLIMIT_CORE, &core);
    sigset_t blocked;
    ::sigprocmask(SIG_BLOCK, nullptr, &blocked);
    struct sigaction pipe_action {};
    ::sigaction(SIGPIPE, nullptr, &pipe_action);
    return json::object{{"descriptors", descriptors},
                        {"id", ::getpid()},
                        {"group", ::getpgrp()},
                        {"core_limit", static_cast<std::int64_t>(core.rlim_cur)},
                        {"usr1_blocked", sigismember(&blocked, SIGUSR1) == 1},
                        {"pipe_ignored", pipe_action.sa_handler == SIG_IGN},
                        {"stdin_at_end", std::getchar() == EOF}};
}

constexpr tune_gemm::host::Job jobs[] = {
    {"echo", echo},
    {"refuse", refuse},
    {"throw", throw_something},
    {"crash", crash},
    {"abort", call_abort},
    {"exit", call_exit},
    {"hang", hang},
    {"fork_and_crash", fork_and_crash},
    {"fork_child", fork_child},
    {"flood", flood},
    {"print", print},
    {"grab_memory", grab_memory},
    {"grab_with_new", grab_with_new},
    {"scribble", scribble},
    {"close_channel", close_channel},
    {"answer_twice", answer_twice},
    {"describe_self", describe_self},
    {"describe", tune_gemm::host::describe_job},
};

} // namespace

int main(int argc, char** argv) {
    return tune_gemm::host::run_worker(argc, argv, jobs);
}
