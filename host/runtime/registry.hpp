// Which kernels are there: the plugin files found in the search folders, keyed by microkernel_id.
//
// Search order: the folders and files given, TUNE_GEMM_PLUGIN_PATH (ignored when privileges differ),
// $XDG_DATA_HOME/tune_gemm/plugins, the installed plugin folder (in a build tree: the built plugins and
// baselines). Never
// the current folder, never a bare name. A file is looked at (symbol table), judged (trust, lock), and only
// then loaded, in a child.
#pragma once
#include "runtime/plugin_info.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tune_gemm::host {

struct RegistryOptions {
    std::vector<std::filesystem::path> plugin_paths; ///< --plugin-path: folders or files, first
    bool allow_unsafe_path = false;  ///< --allow-unsafe-path: files and folders that others can write
    bool locked = false;             ///< --locked: only what plugins.lock.json lists
    std::filesystem::path lock_file; ///< empty: plugins.lock.json in the user's plugin folder; see lock.hpp
    ArithmeticClass auto_class;      ///< what `auto` asks for
    std::chrono::milliseconds probe_deadline{5000}; ///< for the first contact with a file
};

/// One file that claims to be a plugin, and what came of it. A folder that was named and cannot serve is one,
/// too.
struct PluginEntry {
    std::filesystem::path path;     ///< as it was found
    std::optional<PluginInfo> info; ///< absent when refused
    std::string refused;            ///< why, as a sentence that begins with the path; empty when usable
    std::vector<std::filesystem::path> also_known_as; ///< further names of the same file (device and inode)
    bool on_command_line = false;                     ///< found by --plugin-path
    bool named = false;                               ///< what --plugin-path names, and not in it
};

struct Registry {
    std::vector<PluginEntry> entries; ///< in search order
    Catalogue catalogue;              ///< the kernels of usable files; no pointers
    std::vector<std::filesystem::path> searched;

    /// The plugin that a kernel of the catalogue comes from. Throws Error when none.
    const PluginInfo& plugin_of(const KernelInfo&) const;
};

/// Two files with one microkernel_id: the kernel of a file that was found by --plugin-path is used, and the
/// other is listed as unusable, saying so. Otherwise neither can be used, and each is listed as unusable with
/// both files named. Throws Error (bad_input) for a --plugin-path that is not there, a relative path in
/// TUNE_GEMM_PLUGIN_PATH, and a lock file that is missing or wrong; what a file itself has wrong is in its
/// entry.
Registry open_registry(const RegistryOptions&);
/// One file, outside the search folders: judged and described in the same way. Throws Error when it is
/// refused: bad_input when it may not or cannot be looked at, failed when it was found wrong.
PluginInfo inspect_file(const std::filesystem::path&, const RegistryOptions&);
/// A sentence for each file found that has this id already, `except` left out.
std::vector<std::string> taken_id(const Registry&, std::string_view id,
                                  const std::filesystem::path& except = {});
/// True for an argument that names a file ("./my.so", "/x/y.so", anything with a '/' or ending in ".so") and
/// not an id.
bool names_a_file(std::string_view argument) noexcept;
/// The kernel that an id or "auto" names, with its plugin. Throws Error (bad_input) suggesting the nearest
/// known id, or naming both files of an id that two have, or (unavailable) saying why it cannot be used here.
/// What --plugin-path names and was refused is an Error, too: another kernel of that id, or
/// another `auto`, would not be what was meant.
struct Selected {
    KernelInfo kernel;
    PluginInfo plugin;
};
Selected select_kernel(const Registry&, std::string_view id);
/// The sequential class of this type, whichever its rounding, whose best usable kernel has the highest rank
/// (equal rank: the smaller id): what `auto` asks for where speed is wanted and no rounding was named.
/// Kernels of libraries with an order of their own do not count. Throws Error (unavailable) when there is
/// none.
ArithmeticClass fastest_class(const Registry&, tg_dtype);

} // namespace tune_gemm::host
