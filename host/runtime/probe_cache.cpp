#include "runtime/probe_cache.hpp"

#include "runtime/build_info.hpp"
#include "runtime/search.hpp"
#include "store/atomic_file.hpp"
#include "store/text_file.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>

namespace tune_gemm::host {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view probe_schema = "tune_gemm_probe_3";
constexpr std::int64_t largest_entry = 4 << 20; ///< bytes

fs::path entry_path(const std::string& sha256) {
    const fs::path folder = probe_cache_folder();
    return folder.empty() ? folder : folder / fmt::format("{}-{}.json", sha256, TUNE_GEMM_VERSION);
}

} // namespace

fs::path probe_cache_folder() {
    const fs::path folder = user_folder("XDG_CACHE_HOME", ".cache");
    return folder.empty() ? folder : folder / "probe";
}

std::optional<PluginInfo> read_probe_cache(const std::string& sha256, const fs::path& path) {
    const fs::path entry = entry_path(sha256);
    std::error_code error;
    if (entry.empty() || !fs::is_regular_file(entry, error))
        return {};
    try {
        const json::value root = json::read(read_file(entry, largest_entry), entry.string());
        const json::Field field(root, entry.string());
        field.only({"schema_version", "library_version", "plugin"});
        if (field["schema_version"].string() != probe_schema ||
            field["library_version"].string() != TUNE_GEMM_VERSION)
            return {};
        PluginInfo info = parse_plugin(field["plugin"]);
        if (info.sha256 != sha256)
            return {};
        info.path = path;
        for (KernelInfo& kernel : info.kernels)
            kernel.origin = path.string();
        return info;
    } catch (const Error&) {
        return {}; // whatever it was, asking the plugin again is right
    }
}

void write_probe_cache(const PluginInfo& info) noexcept {
    try {
        const fs::path entry = entry_path(info.sha256);
        if (entry.empty() || fs::is_other(entry)) // opening a pipe that nobody reads would wait for ever
            return;
        fs::create_directories(entry.parent_path());
        write_atomically(entry, json::write_indented(json::object{{"schema_version", probe_schema},
                                                                  {"library_version", TUNE_GEMM_VERSION},
                                                                  {"plugin", plugin_json(info)}}));
    } catch (const std::exception&) {
        // A home that cannot be written costs a few milliseconds the next time.
    }
}

} // namespace tune_gemm::host
