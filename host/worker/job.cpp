#include "worker/job.hpp"

#include "worker/message.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <new>
#include <optional>
#include <string>

#include <unistd.h>

namespace tune_gemm::host {
namespace {

/// Lines from a descriptor, read in pieces.
class LineReader {
  public:
    explicit LineReader(int descriptor) : descriptor_(descriptor) {}

    /// Without its newline; none at end of file, on an error, and for a line that is too long.
    std::optional<std::string> next() {
        for (std::size_t searched = 0;;) {
            if (const std::size_t end = held_.find('\n', searched); end != std::string::npos) {
                std::string line = held_.substr(0, end);
                held_.erase(0, end + 1);
                return line;
            }
            searched = held_.size();
            char buffer[65536];
            const ssize_t got = ::read(descriptor_, buffer, sizeof buffer);
            if (got < 0 && errno == EINTR)
                continue;
            if (got <= 0 || held_.size() > longest_message)
                return {};
            held_.append(buffer, static_cast<std::size_t>(got));
        }
    }

  private:
    int descriptor_;
    std::string held_;
};

bool write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0)
            text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

json::value carry_out(std::span<const Job> jobs, const std::string& name, const json::value& request) {
    const auto job = std::find_if(jobs.begin(), jobs.end(), [&](const Job& one) { return one.name == name; });
    if (job == jobs.end())
        throw Error(ErrorKind::failed,
                    fmt::format("The worker knows no job \"{}\"; is {} of another version?", name,
                                "tune-gemm-worker"));
    return job->run(json::Field(request, "request"));
}

std::string answer_to(std::span<const Job> jobs, std::int64_t number, const std::string& name,
                      const json::value& request) {
    try {
        return answer_line(number, carry_out(jobs, name, request));
    } catch (const Error& error) {
        return error_line(number, error);
    } catch (const std::bad_alloc&) {
        return error_line(number, Error(ErrorKind::failed, "The worker ran out of memory."));
    } catch (const std::exception& exception) {
        return error_line(
            number, Error(ErrorKind::failed,
                          fmt::format("The job \"{}\" threw an exception: {}", name, exception.what())));
    }
}

} // namespace

int serve_jobs(std::span<const Job> jobs, int in, int out) {
    const pid_t process = ::getpid();
    LineReader requests(in);
    while (const std::optional<std::string> line = requests.next()) {
        json::Limits limits;
        limits.bytes = longest_message;
        const json::value root = json::read(*line, "the message", limits);
        const json::Field message(root, "the message");
        const std::int64_t number = message["number"].integer(0, std::numeric_limits<std::int64_t>::max());
        const std::string answer = answer_to(jobs, number, message["job"].string(), message["request"].raw());
        if (::getpid() != process)
            ::_exit(4); // a child that the job has forked and that came back here: it answers for nobody
        if (!write_all(out, answer))
            return 1;
    }
    return 0;
}

} // namespace tune_gemm::host
