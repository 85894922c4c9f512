#include "runtime/search.hpp"

#include "store/open_file.hpp"
#include "worker/process.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace tune_gemm::host {
namespace fs = std::filesystem;
namespace {

constexpr const char* path_variable = "TUNE_GEMM_PLUGIN_PATH";

std::string environment_text(const char* variable) {
    const char* text = ::secure_getenv(variable);
    return text != nullptr ? text : "";
}

/// The folders between colons. A relative one is refused: it would mean another folder wherever one stands.
std::vector<fs::path> environment_paths() {
    std::vector<fs::path> paths;
    const std::string text = environment_text(path_variable);
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(':', start), text.size());
        if (const fs::path path = text.substr(start, end - start); path.is_absolute())
            paths.push_back(path.lexically_normal());
        else if (!path.empty())
            throw_bad_input(
                fmt::format("{} holds \"{}\"; its folders are absolute paths, separated by colons.",
                            path_variable, path.string()));
        start = end + 1;
    }
    return paths;
}

/// Where the build put its plugins, when this program has not been installed: a folder each, those of the
/// baselines one deeper.
std::optional<fs::path> build_tree() {
    std::error_code ignored;
    fs::path folder = executable_folder();
    for (int level = 0; level < 4 && !folder.empty(); ++level, folder = folder.parent_path())
        if (fs::is_directory(folder / "meson-private", ignored) &&
            fs::is_directory(folder / "plugins", ignored))
            return folder / "plugins";
    return {};
}

std::vector<SearchPlace> places_of_program() {
    std::vector<SearchPlace> places;
    if (const auto plugins = build_tree()) {
        for (const fs::path& above : {*plugins, *plugins / "baselines"})
            for (std::error_code none; const fs::directory_entry& entry : fs::directory_iterator(above, none))
                if (entry.is_directory() && !plugin_files(entry.path()).empty())
                    places.push_back({.path = entry.path(), .own = true});
        std::sort(places.begin(), places.end(), [](const auto& x, const auto& y) { return x.path < y.path; });
    } else if (const fs::path folder = executable_folder(); !folder.empty()) {
        places.push_back({.path = (folder / TUNE_GEMM_PLUGINS_FROM_BIN).lexically_normal()});
    }
    return places;
}

} // namespace

fs::path user_folder(const char* variable, const char* in_home) {
    if (const fs::path given = environment_text(variable); given.is_absolute())
        return given / "tune_gemm";
    if (const fs::path home = environment_text("HOME"); home.is_absolute())
        return home / in_home / "tune_gemm";
    return {};
}

fs::path user_plugin_folder() {
    const fs::path folder = user_folder("XDG_DATA_HOME", ".local/share");
    return folder.empty() ? folder : folder / "plugins";
}

fs::path absolute_path(const fs::path& path) {
    std::error_code error;
    const fs::path absolute = fs::absolute(path, error);
    if (error)
        throw_bad_input(
            fmt::format("{}: it is looked for from the current folder, which is not there any more; "
                        "change to a folder that is.",
                        path.string()));
    return absolute.lexically_normal();
}

std::vector<SearchPlace> search_places(const RegistryOptions& options) {
    std::vector<SearchPlace> places;
    for (const fs::path& path : options.plugin_paths) {
        std::error_code error;
        if (path.empty() || fs::symlink_status(path, error).type() == fs::file_type::not_found)
            throw_bad_input(
                fmt::format("--plugin-path \"{}\": there is no such folder or file.", path.string()));
        places.push_back({.path = absolute_path(path), .named = true, .on_command_line = true});
    }
    for (const fs::path& path : environment_paths())
        places.push_back({.path = path, .named = true});
    if (const fs::path folder = user_plugin_folder(); !folder.empty())
        places.push_back({.path = folder});
    for (SearchPlace& place : places_of_program())
        places.push_back(std::move(place));
    return places;
}

std::vector<fs::path> plugin_files(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> files;
    for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error))
        if (entry->path().extension() == ".so")
            files.push_back(entry->path());
    if (error)
        throw_bad_input(system_sentence(folder, "searched for plugins", error.value()));
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace tune_gemm::host
