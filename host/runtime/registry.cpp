#include "runtime/registry.hpp"

#include "runtime/file_check.hpp"
#include "runtime/judge.hpp"
#include "runtime/search.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace tune_gemm::host {
namespace fs = std::filesystem;
namespace {

/// Goes through the places in order and makes the entries.
class Finder {
  public:
    explicit Finder(const RegistryOptions& options) : judge_(options) {}

    void search(const SearchPlace& place) {
        std::error_code error;
        const fs::file_status status = fs::status(place.path, error);
        if (fs::is_directory(status))
            search_folder(place);
        else if (place.named)
            take_file(place.path, place);
        // Folders that nobody named need not be there.
    }

    std::vector<PluginEntry> entries;

  private:
    static bool is_named(const fs::path& path, const SearchPlace& place) {
        return place.on_command_line && path == place.path;
    }

    void search_folder(const SearchPlace& place) {
        try {
            const std::vector<fs::path> files = plugin_files(place.path);
            if (files.empty() && place.named)
                throw_bad_input(
                    fmt::format("{}: the folder holds no plugin (no file named *.so).", place.path.string()));
            if (!files.empty() && !place.own)
                judge_.require_trusted(place.path);
            for (const fs::path& file : files)
                take_file(file, place);
        } catch (const Error& error) {
            refuse(place.path, error.what(), place);
        }
    }

    void take_file(const fs::path& file, const SearchPlace& place) {
        try {
            const FileIdentity identity = identify_file(file);
            for (std::size_t i = 0; i < seen_.size(); ++i) {
                if (!seen_[i].identity.same_file(identity))
                    continue;
                PluginEntry& entry = entries[seen_[i].entry];
                entry.named = entry.named || is_named(file, place);
                if (file != entry.path)
                    entry.also_known_as.push_back(file);
                return;
            }
            seen_.push_back({identity, entries.size()});
            PluginInfo info = judge_.describe(file, place.own);
            entries.push_back({file, std::move(info), {}, {}, place.on_command_line, is_named(file, place)});
        } catch (const Error& error) {
            refuse(file, error.what(), place);
        }
    }

    void refuse(const fs::path& path, const std::string& why, const SearchPlace& place) {
        entries.push_back({path, {}, why, {}, place.on_command_line, is_named(path, place)});
    }

    struct Seen {
        FileIdentity identity;
        std::size_t entry;
    };
    Judge judge_;
    std::vector<Seen> seen_;
};

/// The files that have a kernel of that id; of the command line alone where it has one.
std::vector<std::string> rivals(const std::vector<PluginEntry>& entries, std::string_view id) {
    std::vector<std::string> named, found;
    for (const PluginEntry& entry : entries)
        if (entry.info)
            for (const KernelInfo& kernel : entry.info->kernels)
                if (kernel.id == id)
                    (entry.on_command_line ? named : found).push_back(entry.info->path.string());
    return named.empty() ? found : named;
}

void mark_duplicates(std::vector<PluginEntry>& entries) {
    for (PluginEntry& entry : entries) {
        if (!entry.info)
            continue;
        for (KernelInfo& kernel : entry.info->kernels) {
            const std::vector<std::string> files = rivals(entries, kernel.id);
            if (files.size() > 1)
                kernel.unusable = fmt::format(
                    "{} and {} both have the microkernel_id {}; remove one of the files, give its "
                    "kernel another id, or name the file that is meant with --plugin-path.",
                    files[0], files[1], kernel.id);
            else if (files[0] != entry.info->path)
                kernel.unusable = fmt::format("that of {} gives way to {}, which --plugin-path names.",
                                              entry.info->path.string(), files[0]);
        }
    }
}

/// Throws for a file or folder that was named and cannot serve.
void require_named(const Registry& registry) {
    for (const PluginEntry& entry : registry.entries)
        if (entry.named && !entry.info)
            throw_bad_input(entry.refused);
}

/// What to add when a kernel is not found: perhaps it is in a file that was refused.
std::string refused_text(const Registry& registry) {
    std::vector<const PluginEntry*> refused;
    for (const PluginEntry& entry : registry.entries)
        if (!entry.info)
            refused.push_back(&entry);
    if (refused.empty())
        return {};
    if (refused.size() == 1)
        return fmt::format(" One file was refused: {}", refused[0]->refused);
    return fmt::format(" {} files were refused; tune-gemm list says why.", refused.size());
}

/// A bare name is never a file, so that nothing is loaded because of where one stands.
std::string file_hint(std::string_view id) {
    std::error_code error;
    if (!fs::exists(id, error) || fs::is_directory(id, error))
        return {};
    const std::string_view folder = id.find('/') == std::string_view::npos ? "./" : "";
    return fmt::format(
        " There is a file of that name; inspect and check take it as {0}{1}, and --plugin-path {0}{1} "
        "adds its kernels to those that are known.",
        folder, id);
}

} // namespace

const PluginInfo& Registry::plugin_of(const KernelInfo& kernel) const {
    for (const PluginEntry& entry : entries)
        if (entry.info && entry.info->path == kernel.origin)
            return *entry.info;
    throw Error(ErrorKind::failed, fmt::format("The kernel {} comes from no plugin file.", kernel.id));
}

Registry open_registry(const RegistryOptions& options) {
    Registry registry;
    Finder finder(options);
    for (const SearchPlace& place : search_places(options)) {
        registry.searched.push_back(place.path);
        finder.search(place);
    }
    registry.entries = std::move(finder.entries);
    mark_duplicates(registry.entries);
    registry.catalogue.auto_class = options.auto_class;
    for (const PluginEntry& entry : registry.entries)
        if (entry.info)
            for (const KernelInfo& kernel : entry.info->kernels)
                if (registry.catalogue.find(kernel.id) == nullptr) // of a duplicate the first stands for both
                    registry.catalogue.add(kernel);
    return registry;
}

PluginInfo inspect_file(const fs::path& path, const RegistryOptions& options) {
    return Judge(options).describe(absolute_path(path));
}

std::vector<std::string> taken_id(const Registry& registry, std::string_view id, const fs::path& except) {
    std::vector<std::string> sentences;
    for (const std::string& file : rivals(registry.entries, id))
        if (std::error_code error; !fs::equivalent(file, except, error))
            sentences.push_back(fmt::format(
                "{} has the microkernel_id {}, too. With --plugin-path the file that it names is used; where "
                "both are found in folders of plugins, neither is.",
                file, id));
    return sentences;
}

bool names_a_file(std::string_view argument) noexcept {
    return argument.find('/') != std::string_view::npos || argument.ends_with(".so") || argument == "." ||
           argument == "..";
}

Selected select_kernel(const Registry& registry, std::string_view id) {
    require_named(registry);
    const Outcome<const KernelInfo*> found = registry.catalogue.resolve(id);
    if (found)
        return {*found.value(), registry.plugin_of(*found.value())};
    const std::string& why = found.refusal().reason;
    if (id == "auto")
        throw Error(ErrorKind::unavailable, why + refused_text(registry));
    if (registry.catalogue.find(id) == nullptr)
        throw_bad_input(why + file_hint(id) + refused_text(registry));
    throw Error(rivals(registry.entries, id).size() > 1 ? ErrorKind::bad_input : ErrorKind::unavailable, why);
}

ArithmeticClass fastest_class(const Registry& registry, tg_dtype dtype) {
    const KernelInfo* best = nullptr;
    for (const KernelInfo& kernel : registry.catalogue.kernels()) {
        if (!kernel.unusable.empty() || kernel.arithmetic.dtype != dtype ||
            kernel.arithmetic.order != TG_SEQUENTIAL)
            continue;
        if (best == nullptr || kernel.rank > best->rank ||
            (kernel.rank == best->rank && kernel.id < best->id))
            best = &kernel;
    }
    if (best == nullptr)
        throw Error(ErrorKind::unavailable,
                    fmt::format("No usable kernel sums {} in sequential order; name one with --kernel.{}",
                                dtype_text(dtype), refused_text(registry)));
    return best->arithmetic;
}

} // namespace tune_gemm::host
