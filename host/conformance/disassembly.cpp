#include "conformance/disassembly.hpp"

#include "worker/descriptor.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace tune_gemm::host {
namespace {

constexpr std::string_view no_objdump =
    "objdump cannot be run (it is in the package binutils), so the instructions are not looked at.";

/// objdump with its output in a pipe. Ended and reaped at the end of the scope.
class Objdump {
  public:
    explicit Objdump(const std::filesystem::path& path) {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0)
            throw Error(ErrorKind::failed, fmt::format("pipe2 failed ({}).", std::strerror(errno)));
        output_ = Descriptor(ends[0]);
        const Descriptor theirs(ends[1]);
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        ::posix_spawn_file_actions_adddup2(&actions, theirs.get(), STDOUT_FILENO);
        std::string words[] = {"objdump", "-d", "-w", "--", path.string()};
        char* arguments[std::size(words) + 1] = {};
        for (std::size_t i = 0; i < std::size(words); ++i)
            arguments[i] = words[i].data();
        if (::posix_spawnp(&id_, words[0].c_str(), &actions, nullptr, arguments, environ) != 0)
            id_ = -1;
        ::posix_spawn_file_actions_destroy(&actions);
    }
    Objdump(const Objdump&) = delete;
    Objdump& operator=(const Objdump&) = delete;
    ~Objdump() {
        if (id_ > 0) {
            ::kill(id_, SIGKILL);
            end();
        }
    }

    bool started() const noexcept { return id_ > 0; }
    /// False at the end of the output.
    bool read_line(std::string& line) {
        for (;;) {
            if (const std::size_t at = buffer_.find('\n', from_); at != std::string::npos) {
                line.assign(buffer_, from_, at - from_);
                from_ = at + 1;
                return true;
            }
            buffer_.erase(0, std::exchange(from_, 0));
            char bytes[65536];
            const ssize_t got = ::read(output_.get(), bytes, sizeof bytes);
            if (got < 0 && errno == EINTR)
                continue;
            if (got <= 0)
                return false;
            buffer_.append(bytes, static_cast<std::size_t>(got));
        }
    }
    /// Its exit status.
    int end() noexcept {
        int status = 0;
        pid_t reaped;
        do
            reaped = ::waitpid(id_, &status, 0);
        while (reaped < 0 && errno == EINTR);
        id_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

  private:
    pid_t id_ = -1;
    Descriptor output_;
    std::string buffer_;
    std::size_t from_ = 0;
};

std::string_view trimmed(std::string_view text) noexcept {
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// "    11a9:\tc5 f8 57 c0          \tvxorps %xmm0,%xmm0,%xmm0"; false for another line.
bool parse_instruction(std::string_view line, Instruction& to) noexcept {
    const std::size_t colon = line.find(":\t");
    const std::size_t second = colon == std::string_view::npos ? colon : line.find('\t', colon + 2);
    if (second == std::string_view::npos)
        return false;
    to = {trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 2, second - colon - 2)),
          trimmed(line.substr(second + 1))};
    return true;
}

} // namespace

std::string disassemble(const std::filesystem::path& path,
                        const std::function<bool(const Instruction&, const std::string& function)>& each) {
    Objdump objdump(path);
    if (!objdump.started())
        return std::string(no_objdump);
    std::string line, function;
    while (objdump.read_line(line)) {
        Instruction instruction;
        if (const std::size_t name = line.find(" <"); name != std::string::npos && line.ends_with(">:"))
            function = line.substr(name + 2, line.size() - name - 4);
        else if (parse_instruction(line, instruction) && !each(instruction, function))
            return {};
    }
    const int status = objdump.end();
    if (status == 127)
        return std::string(no_objdump);
    if (status != 0)
        throw Error(ErrorKind::failed,
                    fmt::format("objdump of {} ended with status {}.", path.string(), status));
    return {};
}

} // namespace tune_gemm::host
