// Where plugin files are looked for. Only file names are read here.
#pragma once
#include "runtime/registry.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace tune_gemm::host {

/// `variable`/tune_gemm when the variable holds an absolute path, else ~/`in_home`/tune_gemm; empty when
/// there is no home either. The variables are ignored when privileges differ.
std::filesystem::path user_folder(const char* variable, const char* in_home);
/// $XDG_DATA_HOME/tune_gemm/plugins.
std::filesystem::path user_plugin_folder();

/// Throws Error (bad_input) when the path is relative to a current folder that is not there any more.
std::filesystem::path absolute_path(const std::filesystem::path&);

struct SearchPlace {
    std::filesystem::path path;   ///< absolute; a folder, or a file that was named
    bool named = false;           ///< by the user: then it has to be there, and to hold something
    bool on_command_line = false; ///< in the options: its kernels come before those of other places
    bool own = false; ///< the build tree of this very program, which is as trustworthy as the program
};

/// In search order. Throws Error (bad_input) for a path in the options that is not there.
std::vector<SearchPlace> search_places(const RegistryOptions&);

/// The files named *.so in a folder, sorted by name, whatever is behind them. Throws Error (bad_input) when
/// it cannot be read.
std::vector<std::filesystem::path> plugin_files(const std::filesystem::path& folder);

} // namespace tune_gemm::host
