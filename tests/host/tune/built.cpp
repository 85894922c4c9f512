#include "built.hpp"

#include "worker/process.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tune_gemm::host::test {

std::filesystem::path built(const std::string& below_build_folder) {
    return (executable_folder() / "../../.." / below_build_folder).lexically_normal();
}

TemporaryFolder::TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "tune_gemm_test_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

Program::Program(const std::filesystem::path& executable, const std::vector<std::string>& arguments,
                 const std::filesystem::path& output) {
    std::vector<std::string> words{executable.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    const std::string output_name = output.string();
    process_ = fork();
    REQUIRE(process_ >= 0);
    if (process_ == 0) {
        const int file = open(output_name.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(file, STDOUT_FILENO);
        dup2(file, STDERR_FILENO);
        execv(argv[0], argv.data());
        _exit(127);
    }
}

Program::~Program() {
    if (!ended_) {
        kill(process_, SIGKILL);
        wait();
    }
}

void Program::signal(int number) const {
    kill(process_, number);
}

int Program::wait() {
    int status = 0;
    while (waitpid(process_, &status, 0) < 0) {
    }
    ended_ = true;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

} // namespace tune_gemm::host::test
