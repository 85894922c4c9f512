// Folders and files for a test, gone when it ends.
#pragma once
#include "worker/process.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace tune_gemm::host {

/// Sets a variable of the environment, and restores it at the end of the scope.
class ScopedVariable {
  public:
    ScopedVariable(const char* name, const std::string& value) : name_(name) {
        if (const char* old = std::getenv(name)) {
            had_ = true;
            old_ = old;
        }
        ::setenv(name, value.c_str(), 1);
    }
    ScopedVariable(const ScopedVariable&) = delete;
    ScopedVariable& operator=(const ScopedVariable&) = delete;
    ~ScopedVariable() { had_ ? ::setenv(name_, old_.c_str(), 1) : ::unsetenv(name_); }

  private:
    const char* name_;
    bool had_ = false;
    std::string old_;
};

/// A folder that only this user can write, and homes for configuration, data and cache in it.
class Scratch {
  public:
    Scratch() : folder_(make()) {}

    std::filesystem::path path(const std::string& name) const { return folder_ / name; }

    /// A built test plugin, copied here under that name.
    std::filesystem::path plugin(const std::string& plugin, const std::string& name = {}) const {
        const std::filesystem::path to = path(name.empty() ? plugin + ".so" : name);
        std::filesystem::create_directories(to.parent_path());
        std::filesystem::copy_file(executable_folder() / "plugins" / (plugin + ".so"), to,
                                   std::filesystem::copy_options::overwrite_existing);
        // As a cautious user would have it, whatever the umask of the build was.
        std::filesystem::permissions(to, static_cast<std::filesystem::perms>(0644));
        std::filesystem::permissions(to.parent_path(), static_cast<std::filesystem::perms>(0755));
        return to;
    }

    std::filesystem::path file(const std::string& name, const std::string& bytes) const {
        std::filesystem::create_directories(path(name).parent_path());
        std::ofstream(path(name), std::ios::binary) << bytes;
        return path(name);
    }

    static std::string read(const std::filesystem::path& path) {
        std::ifstream stream(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

  private:
    static std::filesystem::path make() {
        std::string name = (std::filesystem::temp_directory_path() / "tune_gemm_test_XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr)
            throw std::runtime_error("no temporary folder");
        return std::filesystem::canonical(name);
    }

    struct Folder {
        Folder(std::filesystem::path p) : path(std::move(p)) {}
        Folder(const Folder&) = delete;
        Folder& operator=(const Folder&) = delete;
        ~Folder() {
            std::error_code ignored;
            std::filesystem::remove_all(path, ignored);
        }
        std::filesystem::path operator/(const std::string& name) const { return path / name; }
        std::filesystem::path path;
    } folder_;
    ScopedVariable home_{"HOME", path("home").string()};
    ScopedVariable data_{"XDG_DATA_HOME", path("data").string()};
    ScopedVariable cache_{"XDG_CACHE_HOME", path("cache").string()};
};

} // namespace tune_gemm::host
