// Where the build has put what the tests start and load.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace tune_gemm::host::test {

/// Beside these tests in the build tree: "host/cli/tune-gemm".
std::filesystem::path built(const std::string& below_build_folder);

/// An empty folder that is removed with what is in it.
class TemporaryFolder {
  public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  private:
    std::filesystem::path path_;
};

/// A program that runs beside the tests. Killed with the object.
class Program {
  public:
    /// Its output goes to `output`.
    Program(const std::filesystem::path& executable, const std::vector<std::string>& arguments,
            const std::filesystem::path& output);
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    void signal(int number) const;
    /// Its exit code, or minus the signal that ended it.
    int wait();

  private:
    int process_;
    bool ended_ = false;
};

} // namespace tune_gemm::host::test
