#include "worker/process.hpp"

#include "worker/failure.hpp"
#include "worker/message.hpp"
#include "worker/output.hpp"
#include "worker/spawn.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <random>
#include <utility>

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>

namespace tune_gemm::host {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// How long a worker that has closed its channel may take to end, so that its exit status can be told.
constexpr milliseconds ending_time{1000};
/// How often the process is looked at where its end cannot be waited for.
constexpr milliseconds looking_interval{50};

/// Rounded up, so that waiting never ends just before the deadline and starts again at once.
int poll_time(Clock::time_point until, bool must_look) {
    const auto left = std::chrono::ceil<milliseconds>(until - Clock::now());
    const milliseconds most = must_look ? looking_interval : milliseconds(60'000);
    return static_cast<int>(std::clamp(left, milliseconds(0), most).count());
}

/// From 0 to 2^63-1.
std::int64_t random_number() {
    static thread_local std::random_device source;
    return static_cast<std::int64_t>(std::uint64_t{source()} << 31 ^ std::uint64_t{source()});
}

} // namespace

struct Worker::State {
    explicit State(const WorkerLimits& limits)
        : child(spawn_worker(limits)), output(limits.output_bytes), interrupted(limits.interrupted) {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() { kill_and_reap(); }

    WorkerAnswer exchange(const std::string& request, milliseconds deadline);

    Child child;
    OutputCollector output;
    std::function<bool()> interrupted;
    std::int64_t number = 0; ///< of the last request

  private:
    enum class End { none, answered, ended, too_long };

    void wait(bool sending, Clock::time_point until);
    void send_some(std::string_view& unsent);
    bool receive_some();
    End receive_rest();
    bool has_ended() const noexcept;
    std::optional<int> kill_and_reap() noexcept;
    WorkerAnswer fail(WorkerFailure);
    WorkerAnswer judge_line();
    WorkerAnswer judge_end();

    std::string received_;
    std::size_t line_end_ = std::string::npos; ///< of the first newline in it
    std::array<pollfd, 3> polled_{};           ///< channel, output, process
};

/// Waits until something happens. What the worker prints is collected at once.
void Worker::State::wait(bool sending, Clock::time_point until) {
    const short wanted = sending ? POLLIN | POLLOUT : POLLIN;
    polled_ = {pollfd{child.channel.get(), wanted, 0}, pollfd{child.output.get(), POLLIN, 0},
               pollfd{child.process.get(), POLLIN, 0}}; // poll passes over descriptors below 0
    if (::poll(polled_.data(), polled_.size(), poll_time(until, !child.process || interrupted)) < 0)
        for (pollfd& entry : polled_)
            entry.revents = 0; // EINTR, or ENOMEM: look again
    if (polled_[1].revents != 0 && !output.read_some(child.output.get()))
        child.output.close();
}

void Worker::State::send_some(std::string_view& unsent) {
    const ssize_t sent =
        ::send(child.channel.get(), unsent.data(), unsent.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0)
        unsent.remove_prefix(static_cast<std::size_t>(sent));
    else if (sent < 0 && errno != EAGAIN && errno != EINTR && errno != ENOBUFS)
        unsent = {}; // nobody reads it any more; the receiving side learns why
}

/// False at end of file.
bool Worker::State::receive_some() {
    char buffer[65536];
    const ssize_t got = ::recv(child.channel.get(), buffer, sizeof buffer, MSG_DONTWAIT);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR;
    if (line_end_ == std::string::npos)
        if (const auto at = std::string_view(buffer, static_cast<std::size_t>(got)).find('\n');
            at != std::string_view::npos)
            line_end_ = received_.size() + at;
    received_.append(buffer, static_cast<std::size_t>(got));
    return got > 0;
}

/// Of a process that has ended: a whole answer that it gave before still counts.
Worker::State::End Worker::State::receive_rest() {
    for (std::size_t before = received_.size() + 1; before != received_.size();) {
        before = received_.size();
        if (!receive_some() || received_.size() > longest_message)
            break;
    }
    return line_end_ == std::string::npos ? End::ended : End::answered;
}

bool Worker::State::has_ended() const noexcept {
    siginfo_t info{};
    const int looked = ::waitid(P_PID, static_cast<id_t>(child.id), &info, WEXITED | WNOHANG | WNOWAIT);
    return looked != 0 ? errno == ECHILD : info.si_pid != 0;
}

/// Its exit status when it had ended by itself.
std::optional<int> Worker::State::kill_and_reap() noexcept {
    if (child.id <= 0)
        return {};
    // Until it is reaped, even a dead leader keeps its number and its group's from being given to others.
    // (Where SIGCHLD is ignored the system reaps it unasked: then there is nothing left to kill safely.)
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(child.id), &info, WEXITED | WNOHANG | WNOWAIT) == 0) {
        ::kill(-child.id, SIGKILL);
        ::kill(child.id, SIGKILL); // it may have left its group
    }
    int status = 0;
    pid_t reaped;
    do
        reaped = ::waitpid(child.id, &status, 0);
    while (reaped < 0 && errno == EINTR);
    const bool known = reaped == std::exchange(child.id, -1);
    child.channel.close();
    child.process.close();
    return known ? std::optional(status) : std::nullopt;
}

WorkerAnswer Worker::State::fail(WorkerFailure failure) {
    kill_and_reap();
    if (child.output)
        output.read_rest(child.output.get());
    child.output.close();
    failure.output = output.text();
    return {{}, std::move(failure)};
}

WorkerAnswer Worker::State::judge_end() {
    child.channel.close(); // at end of file it would be ready all the time
    const Clock::time_point until = Clock::now() + ending_time;
    while (!has_ended() && Clock::now() < until)
        wait(false, until);
    if (!has_ended())
        return fail(garbled_failure("it closed the channel and went on"));
    return fail(ended_failure(kill_and_reap()));
}

WorkerAnswer Worker::State::judge_line() {
    output.read_rest(child.output.get());
    if (line_end_ + 1 != received_.size())
        return fail(garbled_failure("more bytes follow it"));
    std::optional<std::variant<json::value, Error>> answer;
    try {
        answer = parse_answer(std::string_view(received_).substr(0, line_end_), number);
    } catch (const std::runtime_error& problem) {
        return fail(garbled_failure(problem.what()));
    }
    if (const Error* error = std::get_if<Error>(&*answer))
        throw *error;
    return {std::get<json::value>(std::move(*answer)), {}};
}

WorkerAnswer Worker::State::exchange(const std::string& request, milliseconds deadline) {
    const Clock::time_point until =
        Clock::now() + std::clamp(deadline, milliseconds(0), milliseconds(86'400'000));
    std::string_view unsent = request;
    received_.clear();
    line_end_ = std::string::npos;
    for (;;) {
        wait(!unsent.empty(), until);
        End end = End::none;
        if (polled_[0].revents & POLLOUT)
            send_some(unsent);
        if (polled_[0].revents & (POLLIN | POLLHUP | POLLERR) && !receive_some())
            end = End::ended;
        if (line_end_ != std::string::npos)
            end = End::answered;
        else if (received_.size() > longest_message)
            end = End::too_long;
        else if (end == End::none && (polled_[2].revents != 0 || (!child.process && has_ended())))
            end = receive_rest();

        if (end == End::answered)
            return unsent.empty() ? judge_line()
                                  : fail(garbled_failure("it came before the request was sent"));
        if (end == End::ended)
            return judge_end();
        if (end == End::too_long)
            return fail(garbled_failure(fmt::format("it is longer than {} bytes", longest_message)));
        if (Clock::now() >= until)
            return fail(timed_out_failure(deadline));
        if (interrupted && interrupted())
            return fail(interrupted_failure());
    }
}

Worker::Worker(const WorkerLimits& limits) : state_(std::make_unique<State>(limits)) {}
Worker::~Worker() = default;
Worker::Worker(Worker&&) noexcept = default;
Worker& Worker::operator=(Worker&&) noexcept = default;

WorkerAnswer Worker::call(std::string_view job, const json::value& request, milliseconds deadline) {
    if (!alive())
        throw Error(ErrorKind::failed, fmt::format("The worker is dead and cannot carry out \"{}\".", job));
    // Not to be guessed: what a kernel writes on the channel by itself is no answer.
    state_->number = random_number();
    return state_->exchange(request_line(state_->number, job, request), deadline);
}

void Worker::stop() noexcept {
    if (alive())
        ::kill(-state_->child.id, SIGSTOP);
}
void Worker::let_go_on() noexcept {
    if (alive())
        ::kill(-state_->child.id, SIGCONT);
}

bool Worker::alive() const noexcept {
    return state_ != nullptr && state_->child.id > 0;
}
const std::string& Worker::output() const noexcept {
    return state_->output.text();
}
std::int64_t Worker::output_count() const noexcept {
    return state_->output.count();
}

WorkerAnswer call_once(std::string_view job, const json::value& request, milliseconds deadline,
                       const WorkerLimits& limits) {
    return Worker(limits).call(job, request, deadline);
}

} // namespace tune_gemm::host
