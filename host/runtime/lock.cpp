#include "runtime/lock.hpp"

#include "runtime/sha256.hpp"
#include "store/text_file.hpp"

#include <tune_gemm/error.hpp>
#include <tune_gemm/json.hpp>

#include <fmt/format.h>

namespace tune_gemm::host {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view lock_schema = "tune_gemm_lock_1";

LockedPlugin parse_locked(const json::Field& field) {
    field.only({"sha256", "path"});
    LockedPlugin plugin;
    plugin.sha256 = field["sha256"].string();
    if (!is_sha256(plugin.sha256))
        field["sha256"].fail(
            fmt::format("expected 64 lower-case hexadecimal digits, found \"{}\"", plugin.sha256));
    if (field.has("path")) {
        plugin.path = field["path"].string();
        if (!plugin.path.is_absolute())
            field["path"].fail(fmt::format("expected an absolute path, found \"{}\"", plugin.path.string()));
    }
    return plugin;
}

} // namespace

std::vector<LockedPlugin> read_lock(const fs::path& file) {
    std::error_code ignored;
    if (!fs::exists(file, ignored))
        throw_bad_input(
            fmt::format("--locked: there is no lock file {}. It lists the plugins that may be loaded: "
                        R"({{"schema_version": "{}", "plugins": [{{"sha256": ".."}}]}}; the hashes are )"
                        "printed by tune-gemm inspect.",
                        file.string(), lock_schema));
    const json::value root = json::read(read_file(file, 16 << 20), file.string());
    const json::Field field(root, file.string());
    field.only({"schema_version", "plugins"});
    if (const std::string found = field["schema_version"].string(); found != lock_schema)
        field["schema_version"].fail(fmt::format("expected \"{}\", found \"{}\"", lock_schema, found));
    std::vector<LockedPlugin> plugins;
    const json::Field list = field["plugins"];
    for (std::size_t i = 0; i < list.size(); ++i)
        plugins.push_back(parse_locked(list[i]));
    return plugins;
}

void check_locked(const std::vector<LockedPlugin>& plugins, const fs::path& file, const std::string& sha256,
                  const fs::path& lock_file) {
    for (const LockedPlugin& plugin : plugins)
        if (plugin.sha256 == sha256 && (plugin.path.empty() || plugin.path == file))
            return;
    throw_bad_input(
        fmt::format("{}: {} does not list it (SHA-256 {}), and --locked loads only what is listed.",
                    file.string(), lock_file.string(), sha256));
}

} // namespace tune_gemm::host
