#include "runtime/load.hpp"

#include "runtime/cpu.hpp"
#include "runtime/entry.hpp"
#include "runtime/file_check.hpp"
#include "runtime/library.hpp"
#include "runtime/sha256.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <mutex>
#include <vector>

namespace tune_gemm::host {
namespace fs = std::filesystem;
namespace {

struct Loaded {
    FileIdentity identity;
    PluginInfo info;
};

/// A file that the system's loader has been given, whatever came of it.
struct Opened {
    fs::path path;
    FileIdentity identity;
};

/// Never destroyed, as nothing in it is ever unloaded.
struct LoadedPlugins {
    std::mutex mutex;
    std::vector<Opened> opened;
    std::vector<std::unique_ptr<Loaded>> all;
};
LoadedPlugins& loaded_plugins() {
    static LoadedPlugins& plugins = *new LoadedPlugins;
    return plugins;
}

[[noreturn]] void fail_changed(const fs::path& path) {
    throw Error(ErrorKind::failed,
                fmt::format("{}: the file has changed since it was opened; start again.", path.string()));
}

/// The loader knows a library again by its path or by its inode, and then gives the one that it has: for a
/// file that was replaced or written to, that would be the old one, or worse.
void check_not_replaced(const std::vector<Opened>& opened, const fs::path& path,
                        const FileIdentity& identity) {
    for (const Opened& before : opened)
        if ((before.path == path || before.identity.same_file(identity)) && before.identity != identity)
            fail_changed(path);
}

void check_expected(const PluginInfo& info, const std::string& expected) {
    if (!expected.empty() && info.sha256 != expected)
        throw Error(
            ErrorKind::failed,
            fmt::format("{}: the file has changed: its SHA-256 is {}, and {} was expected. Check and tune "
                        "it again.",
                        info.path.string(), info.sha256, expected));
}

std::unique_ptr<Loaded> load_now(const fs::path& path, const FileIdentity& identity,
                                 const std::string& expected, std::vector<Opened>& opened) {
    check_library_file(path);
    auto loaded = std::make_unique<Loaded>();
    loaded->identity = identity;
    loaded->info.path = path;
    loaded->info.sha256 = sha256_file(path);
    check_expected(loaded->info, expected);
    check_entry(exported_symbols(path), path);
    opened.push_back({path, identity});
    const void* entry = load_symbol(path, TG_SYMBOL);
    if (identify_file(path) != identity)
        fail_changed(path); // what was hashed is perhaps not what was loaded
    const tg_plugin plugin = read_entry(entry, path);
    loaded->info = describe_plugin(plugin, path, loaded->info.sha256);
    loaded->info.said = initialise_plugin(plugin, path);
    return loaded;
}

} // namespace

const PluginInfo& load_plugin(const fs::path& given, const std::string& expected_sha256) {
    const FileIdentity identity = identify_file(given);
    const fs::path path = fs::canonical(given);
    LoadedPlugins& plugins = loaded_plugins();
    const std::lock_guard lock(plugins.mutex);
    check_not_replaced(plugins.opened, path, identity);
    for (const auto& loaded : plugins.all) {
        if (!loaded->identity.same_file(identity))
            continue;
        check_expected(loaded->info, expected_sha256);
        return loaded->info;
    }
    plugins.all.push_back(load_now(path, identity, expected_sha256, plugins.opened));
    return plugins.all.back()->info;
}

void mark_unusable(KernelInfo& kernel) {
    const std::vector<std::string> missing = missing_features(kernel.cpu);
    if (!missing.empty() && kernel.unusable.empty())
        kernel.unusable = fmt::format(
            "this processor or system lacks {}; use one that has it, or correct the kernel's cpu.",
            fmt::join(missing, ", "));
}

Catalogue loaded_catalogue(const fs::path& path, const std::string& expected_sha256) {
    Catalogue catalogue;
    for (KernelInfo kernel : load_plugin(path, expected_sha256).kernels) {
        mark_unusable(kernel);
        catalogue.add(std::move(kernel));
    }
    return catalogue;
}

} // namespace tune_gemm::host
