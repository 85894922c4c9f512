#include "runtime/judge.hpp"

#include "runtime/file_check.hpp"
#include "runtime/load.hpp"
#include "runtime/probe.hpp"
#include "runtime/search.hpp"
#include "runtime/sha256.hpp"
#include "runtime/trust.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>

namespace tune_gemm::host {
namespace fs = std::filesystem;

Judge::Judge(const RegistryOptions& options) : options_(options) {
    if (!options.locked)
        return;
    lock_file_ = options.lock_file;
    if (lock_file_.empty()) {
        const fs::path folder = user_plugin_folder();
        if (folder.empty()) // a relative path would be looked for wherever one stands
            throw_bad_input(
                "--locked: without HOME and XDG_DATA_HOME there is no user's plugin folder to find "
                "plugins.lock.json in; name the file with --lock-file.");
        lock_file_ = folder / "plugins.lock.json";
    }
    locked_ = read_lock(lock_file_);
}

void Judge::require_trusted(const fs::path& path) const {
    if (options_.allow_unsafe_path)
        return;
    if (const std::string why = distrust(path); !why.empty())
        throw_bad_input(fmt::format("{}: not loaded, since {}", path.string(), why));
}

PluginInfo Judge::describe(const fs::path& path, bool trusted) const {
    identify_file(path);
    if (!trusted)
        require_trusted(path);
    const fs::path target = fs::canonical(path);
    if (options_.locked)
        check_locked(locked_, target, sha256_file(target), lock_file_);
    PluginInfo info = probe_plugin(target, options_.probe_deadline);
    for (KernelInfo& kernel : info.kernels)
        mark_unusable(kernel);
    return info;
}

} // namespace tune_gemm::host
