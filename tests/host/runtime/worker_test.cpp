#include "worker/message.hpp"
#include "worker/process.hpp"

#include <tune_gemm/error.hpp>

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tune_gemm;
using namespace tune_gemm::host;
using Kind = WorkerFailure::Kind;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

const seconds long_enough{20};

std::size_t open_descriptors() {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
        ++count;
    return count;
}

bool has_children() {
    return ::waitpid(-1, nullptr, WNOHANG) != -1 || errno != ECHILD;
}

/// True when the process ends within two seconds. (An orphan that nobody has reaped yet has ended, too.)
bool ends(std::int64_t id) {
    for (int tries = 0; tries < 200; ++tries) {
        std::error_code error;
        const auto program = std::filesystem::read_symlink("/proc/" + std::to_string(id) + "/exe", error);
        if (error || program.empty())
            return true;
        std::this_thread::sleep_for(milliseconds(10));
    }
    return false;
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

/// The failure of one job in a worker of its own; the test fails when there is none.
WorkerFailure failure_of(std::string_view job, const json::value& request = json::object{},
                         milliseconds deadline = long_enough, const WorkerLimits& limits = {}) {
    WorkerAnswer answer = call_once(job, request, deadline, limits);
    REQUIRE(!answer.value);
    REQUIRE(answer.failure);
    return *answer.failure;
}

} // namespace

TEST_CASE("a worker answers one request after the other") {
    Worker worker;
    for (int i = 0; i < 20; ++i) {
        const json::value request = json::object{{"i", i}, {"text", "line\nbreak"}};
        const WorkerAnswer answer = worker.call("echo", request, long_enough);
        REQUIRE(answer.value);
        CHECK(!answer.failure);
        CHECK(*answer.value == request);
    }
    CHECK(worker.alive());
    CHECK(worker.output_count() == 0);
}

TEST_CASE("a worker that was stopped answers once it may go on, and not before") {
    Worker worker;
    const json::value request = json::object{{"i", 1}};
    worker.stop();
    worker.let_go_on();
    CHECK(worker.call("echo", request, long_enough).value);
    worker.stop();
    const WorkerAnswer none = worker.call("echo", request, milliseconds(300));
    REQUIRE(none.failure);
    CHECK(none.failure->kind == Kind::timed_out);
    worker.stop(); // of one that is dead nothing happens
    worker.let_go_on();
}

TEST_CASE("messages may be far larger than what a socket holds") {
    const json::value request = json::object{{"text", std::string(4'000'000, 'x')}};
    const WorkerAnswer answer = call_once("echo", request, long_enough);
    REQUIRE(answer.value);
    CHECK(*answer.value == request);
}

TEST_CASE("an Error of a job arrives as the same Error and the worker goes on") {
    Worker worker;
    try {
        worker.call("refuse", json::object{{"why", "it is Sunday"}}, long_enough);
        FAIL("no Error");
    } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::unavailable);
        CHECK(std::string(error.what()) == "refused: it is Sunday");
    }
    CHECK_THROWS_WITH_AS(worker.call("refuse", json::object{}, long_enough), doctest::Contains("why"), Error);
    CHECK_THROWS_WITH_AS(worker.call("throw", json::object{}, long_enough), doctest::Contains("not foreseen"),
                         Error);
    CHECK_THROWS_WITH_AS(worker.call("sing", json::object{}, long_enough),
                         doctest::Contains("no job \"sing\""), Error);
    CHECK(worker.alive());
    CHECK(worker.call("echo", 1, long_enough).value);
}

TEST_CASE("a crash is told with its signal, and the worker is dead") {
    Worker worker;
    const WorkerAnswer answer = worker.call("crash", json::object{}, long_enough);
    CHECK(!answer.value);
    REQUIRE(answer.failure);
    CHECK(answer.failure->kind == Kind::crashed);
    CHECK(answer.failure->code == SIGSEGV);
    CHECK(answer.failure->sentence == "crashed with SIGSEGV (segmentation fault)");
    CHECK(!worker.alive());
    CHECK_THROWS_WITH_AS(worker.call("echo", 1, long_enough), doctest::Contains("dead"), Error);

    CHECK(failure_of("abort").sentence == "crashed with SIGABRT (aborted)");
}

TEST_CASE("a worker that died between two requests is told at the next, and writing to it is safe") {
    Worker worker;
    const auto id =
        worker.call("describe_self", json::object{}, long_enough).value->as_object().at("id").as_int64();
    ::kill(static_cast<pid_t>(id), SIGKILL);
    CHECK(ends(id));
    const WorkerAnswer answer =
        worker.call("echo", json::object{{"text", std::string(100'000, 'x')}}, long_enough);
    REQUIRE(answer.failure);
    CHECK(answer.failure->code == SIGKILL);
    CHECK(contains(answer.failure->sentence, "killed with SIGKILL"));
}

TEST_CASE("an exit is no answer, not even with status 0") {
    for (const int status : {0, 7}) {
        const WorkerFailure failure = failure_of("exit", json::object{{"status", status}});
        CHECK(failure.kind == Kind::exited);
        CHECK(failure.code == status);
        CHECK(failure.sentence == "exited with status " + std::to_string(status) + " before it answered");
    }
}

TEST_CASE("a hang ends at the deadline") {
    const auto start = std::chrono::steady_clock::now();
    const WorkerFailure failure = failure_of("hang", json::object{}, milliseconds(150));
    CHECK(std::chrono::steady_clock::now() - start >= milliseconds(150));
    CHECK(failure.kind == Kind::timed_out);
    CHECK(failure.sentence == "gave no answer within 150 ms");
    CHECK(failure_of("echo", json::object{}, milliseconds(0)).sentence == "gave no answer within 0 ms");
}

TEST_CASE("a request that is never read does not block") {
    Worker worker;
    CHECK(
        worker.call("hang", json::object{{"text", std::string(4'000'000, 'x')}}, milliseconds(300)).failure);
    CHECK(!worker.alive());
}

TEST_CASE("a crash is seen although a child of the worker holds its descriptors") {
    const WorkerFailure failure = failure_of("fork_and_crash");
    CHECK(failure.kind == Kind::crashed);
    CHECK(failure.code == SIGSEGV);
}

TEST_CASE("what is printed is captured, without waiting for a newline, and made safe to show") {
    Worker worker;
    CHECK(worker.call("print", json::object{{"text", "one\t\x1b[31m\n\xc3\xa9"}}, long_enough).value);
    CHECK(worker.output() == "one\t?[31m\n??|stderr");
    CHECK(worker.output_count() == 19);
}

TEST_CASE("a flood of output neither blocks the worker nor is it kept") {
    Worker worker;
    const WorkerAnswer answer = worker.call("flood", json::object{{"kilobytes", 20'000}}, long_enough);
    REQUIRE(answer.value);
    CHECK(worker.output_count() == 20'000 * 1024);
    CHECK(worker.output().size() == 65536);

    WorkerLimits limits;
    limits.output_bytes = 10;
    CHECK(failure_of("flood", json::object{{"kilobytes", 1 << 20}}, milliseconds(200), limits).output ==
          "xxxxxxxxxx");
}

TEST_CASE("hunger for memory ends at the limit") {
    WorkerLimits limits;
    limits.memory_bytes = 64 << 20;
    Worker worker(limits);
    CHECK(*worker.call("grab_memory", json::object{{"bytes", 1 << 20}}, long_enough).value ==
          json::value(true));
    if (address_space_limit_unusable()) {
        MESSAGE("the limit itself is not tested: a sanitizer's shadow memory forbids it");
        return;
    }
    CHECK(*worker.call("grab_memory", json::object{{"bytes", 128 << 20}}, long_enough).value ==
          json::value(false));
    CHECK_THROWS_WITH_AS(worker.call("grab_with_new", json::object{{"bytes", 128 << 20}}, long_enough),
                         doctest::Contains("out of memory"), Error);
    CHECK(worker.alive());
}

TEST_CASE("only a well-formed answer to the very request counts") {
    const auto garbled = [](const char* text) {
        const WorkerFailure failure = failure_of("scribble", json::object{{"text", text}, {"answer", false}});
        CHECK(failure.kind == Kind::garbled);
        CHECK(contains(failure.sentence, "garbled"));
        return failure.sentence;
    };
    garbled("rubbish\n");
    CHECK(contains(garbled("{\"number\":1,\"value\":1}\nrubbish"), "more bytes"));
    CHECK(contains(garbled("{\"number\":99,\"value\":1}\n"), "numbered 99"));

    const json::value rubbish_before = json::object{{"text", "rubbish"}, {"answer", true}};
    CHECK(failure_of("scribble", rubbish_before).kind == Kind::garbled);
    CHECK(contains(failure_of("close_channel").sentence, "closed the channel"));
}

TEST_CASE("what an answer has to look like") {
    const auto refused = [](const char* line) { CHECK_THROWS_AS(parse_answer(line, 1), std::runtime_error); };
    CHECK(std::get<json::value>(parse_answer("{\"number\":1,\"value\":7}", 1)) == 7);
    refused("{\"number\":2,\"value\":1}");
    refused("{\"number\":1}");
    refused("{\"value\":1}");
    refused("{\"number\":1,\"value\":1,\"error\":{\"kind\":\"failed\",\"sentence\":\"\"}}");
    refused("{\"number\":1,\"error\":{\"kind\":\"odd\",\"sentence\":\"\"}}");
    refused("{\"number\":1,\"number\":1,\"value\":1}");
}

TEST_CASE("the number of a request cannot be guessed") {
    for (const char* text : {"{\"number\":1,\"value\":1}\n", "{\"number\":2,\"value\":1}\n"}) {
        Worker worker;
        CHECK(worker.call("echo", 1, long_enough).value == 1);
        const WorkerAnswer answer =
            worker.call("scribble", json::object{{"text", text}, {"answer", false}}, long_enough);
        REQUIRE(answer.failure);
        CHECK(contains(answer.failure->sentence, "but request"));
    }
}

TEST_CASE("a child that a job forks answers for nobody") {
    Worker worker;
    for (int turn = 0; turn < 3; ++turn) {
        CHECK(worker.call("answer_twice", json::object{}, long_enough).value == "done");
        CHECK(worker.call("echo", turn, long_enough).value == turn);
    }
}

TEST_CASE("a second answer to one request is not taken for the answer to the next") {
    const auto call = [](std::string_view job, const json::value& request) {
        Worker worker;
        WorkerAnswer answer = worker.call(job, request, long_enough);
        if (!answer.failure) // the second may have come in time to be seen at once
            answer = worker.call("hang", json::object{}, long_enough);
        REQUIRE(answer.failure);
        CHECK(answer.failure->kind == Kind::garbled);
    };
    call("scribble", json::object{{"text", "{\"number\":1,\"value\":1}\n"}, {"answer", true}});
}

TEST_CASE("a worker starts from a clean state") {
    sigset_t blocked, before;
    ::sigemptyset(&blocked);
    ::sigaddset(&blocked, SIGUSR1);
    ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
    const auto old_action = ::signal(SIGPIPE, SIG_IGN);
    const int leaked = ::fcntl(1, F_DUPFD, 20); // a descriptor that is not close-on-exec
    rlimit core_before{};
    ::getrlimit(RLIMIT_CORE, &core_before);
    const rlimit core_allowed{core_before.rlim_max, core_before.rlim_max};
    ::setrlimit(RLIMIT_CORE, &core_allowed);
    const WorkerAnswer answer = call_once("describe_self", json::object{}, long_enough);
    ::setrlimit(RLIMIT_CORE, &core_before);
    ::close(leaked);
    ::signal(SIGPIPE, old_action);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);

    REQUIRE(answer.value);
    const json::object& self = answer.value->as_object();
    CHECK(self.at("descriptors") == json::value(json::array{0, 1, 2, 3}));
    CHECK(self.at("group") == self.at("id"));
    CHECK(self.at("core_limit") == json::value(1)); // see serve.cpp
    CHECK(self.at("usr1_blocked") == json::value(false));
    CHECK(self.at("pipe_ignored") == json::value(false));
    CHECK(self.at("stdin_at_end") == json::value(true));
}

TEST_CASE("nothing is left of a worker: no zombie, no descriptor, no process of its group") {
    const std::size_t before = open_descriptors();
    pid_t id = 0;
    std::int64_t grandchild = 0;
    {
        Worker worker;
        id = static_cast<pid_t>(
            worker.call("describe_self", json::object{}, long_enough).value->as_object().at("id").as_int64());
        Worker moved = std::move(worker);
        CHECK(!worker.alive());
        CHECK(moved.alive());
        grandchild = moved.call("fork_child", json::object{}, long_enough).value->as_int64();
        CHECK(grandchild > 0);
    }
    failure_of("crash");
    failure_of("hang", json::object{}, milliseconds(50));
    failure_of("scribble", json::object{{"text", "x\n"}, {"answer", false}});
    CHECK(open_descriptors() == before);
    CHECK(!has_children());
    CHECK(ends(id));
    CHECK(ends(grandchild));
}

TEST_CASE("a worker ends with the process that started it") {
    int pipe_ends[2];
    REQUIRE(::pipe(pipe_ends) == 0);
    const pid_t host = ::fork();
    if (host == 0) { // a host that is killed while its worker hangs
        Worker worker;
        const auto self = worker.call("describe_self", json::object{}, long_enough);
        const std::int64_t id = self.value->as_object().at("id").as_int64();
        if (::write(pipe_ends[1], &id, sizeof id) == sizeof id)
            worker.call("hang", json::object{}, long_enough);
        ::_exit(1);
    }
    std::int64_t id = 0;
    REQUIRE(::read(pipe_ends[0], &id, sizeof id) == sizeof id);
    ::kill(host, SIGKILL);
    ::waitpid(host, nullptr, 0);
    ::close(pipe_ends[0]);
    ::close(pipe_ends[1]);
    CHECK(ends(id));
}

TEST_CASE("without its program, no worker starts, and the sentence says where it was looked for") {
    const std::string right = ::getenv("TUNE_GEMM_WORKER");
    ::setenv("TUNE_GEMM_WORKER", "/no/such/program", 1);
    CHECK_THROWS_WITH_AS(Worker{}, doctest::Contains("/no/such/program"), Error);
    ::setenv("TUNE_GEMM_WORKER", "/bin/false", 1); // a program that is none
    const WorkerAnswer answer = call_once("echo", 1, long_enough);
    ::unsetenv("TUNE_GEMM_WORKER");
    CHECK_THROWS_WITH_AS(Worker{}, doctest::Contains("libexec/tune_gemm"), Error);
    ::setenv("TUNE_GEMM_WORKER", right.c_str(), 1);
    REQUIRE(answer.failure);
    CHECK(answer.failure->kind == Kind::exited);
}
