#include "runtime/entry.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <mutex>

#include <unistd.h>

namespace tune_gemm::host {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t most_kernels = 256;
constexpr std::size_t longest_text = 200;

template <class... Arguments>
[[noreturn]] void fail(const fs::path& path, fmt::format_string<Arguments...> sentence,
                       Arguments&&... arguments) {
    throw Error(ErrorKind::failed, fmt::format("{}: {}", path.string(),
                                               fmt::format(sentence, std::forward<Arguments>(arguments)...)));
}

bool is_printable(char c) noexcept {
    return c >= ' ' && c <= '~';
}

/// A plugin's text, whatever it holds, fit for a sentence.
std::string made_printable(std::string_view text) {
    std::string shown(text);
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return !is_printable(c); }, '?');
    return shown;
}

std::string checked_text(const char* text, const char* field, const fs::path& path) {
    if (text == nullptr)
        fail(path, "its {} is a null pointer; it is one line of text.", field);
    const std::string_view line(text, ::strnlen(text, longest_text + 1));
    if (line.size() > longest_text)
        fail(path, "its {} is longer than {} bytes: \"{}...\".", field, longest_text,
             made_printable(line.substr(0, 60)));
    if (!std::all_of(line.begin(), line.end(), is_printable))
        fail(path, "its {} \"{}\" is not one line of printable ASCII.", field, made_printable(line));
    return std::string(line);
}

std::string_view status_name(tg_status status) noexcept {
    constexpr std::array<std::string_view, 5> names = {"TG_OK", "TG_UNSUPPORTED", "TG_INVALID",
                                                       "TG_NO_WORKSPACE", "TG_INTERNAL"};
    return status >= 0 && static_cast<std::size_t>(status) < names.size()
               ? names[static_cast<std::size_t>(status)]
               : "unknown status";
}

std::atomic<int> log_descriptor{STDERR_FILENO};

/// What is logged while a plugin is initialised; by whatever thread.
struct Said {
    std::mutex mutex;
    std::vector<std::string> lines;
};
Said& said() {
    static Said& all = *new Said; // a plugin's threads may log to the very end
    return all;
}

void log_line(const char* line) noexcept {
    if (line == nullptr)
        return;
    dprintf(log_descriptor, "%s\n", line);
    constexpr std::size_t most_lines = 16, longest_line = 400;
    try {
        const std::lock_guard lock(said().mutex);
        if (said().lines.size() < most_lines)
            said().lines.push_back(made_printable({line, ::strnlen(line, longest_line)}));
    } catch (const std::exception&) {
        // Without memory for a line there are greater worries.
    }
}

} // namespace

void check_entry(const std::vector<std::string>& symbols, const fs::path& path) {
    constexpr std::string_view wanted = TG_SYMBOL, prefix = TG_SYMBOL_PREFIX;
    std::string other_major, mangled;
    for (const std::string& symbol : symbols) {
        if (symbol == wanted)
            return;
        if (symbol.starts_with(prefix) && symbol.size() > prefix.size() &&
            symbol.size() < prefix.size() + 10 &&
            std::all_of(symbol.begin() + prefix.size(), symbol.end(),
                        [](char c) { return c >= '0' && c <= '9'; }))
            other_major = symbol.substr(prefix.size());
        else if (symbol.starts_with("_Z") && symbol.find(prefix) != std::string::npos)
            mangled = made_printable(symbol);
    }
    if (!other_major.empty())
        fail(path,
             "it is a plugin for major version {} of the interface, and this program loads version {}; build "
             "it "
             "against the headers of this version.",
             other_major, TG_ABI_MAJOR);
    if (!mangled.empty())
        fail(path,
             "it exports the C++ name {} and not the symbol {}; define the object outside every namespace, "
             "with "
             "abi.h included, so that it is extern \"C\".",
             mangled, wanted);
    fail(path,
         "it is no plugin: it does not export the symbol {}. If it is meant to be one: include abi.h where "
         "the object "
         "is defined (extern \"C\", default visibility), and let a version script export it.",
         wanted);
}

tg_plugin read_entry(const void* entry, const fs::path& path) {
    // Until the magic number is seen, nothing is known of what lies here: not even its alignment.
    const auto number_at = [entry](std::size_t offset) {
        std::uint32_t number = 0;
        std::memcpy(&number, static_cast<const std::byte*>(entry) + offset, sizeof number);
        return number;
    };
    if (const std::uint32_t magic = number_at(offsetof(tg_plugin, magic)); magic != TG_MAGIC)
        fail(path,
             "its {} does not begin with the magic number {:#010x} but with {:#010x}: define it as a "
             "tg_plugin "
             "that begins with TG_MAGIC.",
             TG_SYMBOL, TG_MAGIC, magic);
    if (const std::uint32_t major = number_at(offsetof(tg_plugin, abi_major)); major != TG_ABI_MAJOR)
        fail(path,
             "its abi_major is {}, and this program loads plugins of major version {}; build it against the "
             "headers "
             "of this version.",
             major, TG_ABI_MAJOR);
    constexpr std::size_t least = offsetof(tg_plugin, kernels) + sizeof(tg_plugin::kernels);
    const std::uint32_t size = number_at(offsetof(tg_plugin, struct_size));
    if (size < least)
        fail(path, "its struct_size is {}; a tg_plugin has at least {} bytes, so write sizeof(tg_plugin).",
             size, least);
    tg_plugin plugin{};
    std::memcpy(&plugin, entry, std::min<std::size_t>(size, sizeof plugin));
    return plugin;
}

PluginInfo describe_plugin(const tg_plugin& plugin, const fs::path& path, const std::string& sha256) {
    PluginInfo info;
    info.path = path;
    info.sha256 = sha256;
    info.name = checked_text(plugin.name, "name", path);
    info.version = checked_text(plugin.version, "version", path);
    info.vendor = checked_text(plugin.vendor, "vendor", path);
    info.license = checked_text(plugin.license, "license", path);
    info.abi_major = plugin.abi_major;
    info.abi_minor = plugin.abi_minor;
    if (plugin.kernels == nullptr || plugin.kernels[0] == nullptr)
        fail(path, "its list of kernels is empty.");
    for (std::size_t i = 0; plugin.kernels[i] != nullptr; ++i) {
        if (i == most_kernels)
            fail(path, "its list of kernels has more than {} entries; it ends with a null pointer.",
                 most_kernels);
        KernelInfo kernel;
        try {
            kernel = describe_kernel(plugin.kernels[i], plugin.abi_minor);
        } catch (const Error& error) {
            fail(path, "kernels[{}]: {}", i, error.what());
        }
        for (const KernelInfo& other : info.kernels)
            if (other.id == kernel.id)
                fail(path, "two of its kernels have the microkernel_id {}; give each an id of its own.",
                     kernel.id);
        kernel.loop_identity = fmt::format("{}:{}", sha256, first_same_loop(plugin.kernels, i));
        kernel.origin = path.string();
        info.kernels.push_back(std::move(kernel));
    }
    return info;
}

std::vector<std::string> initialise_plugin(const tg_plugin& plugin, const fs::path& path) {
    if (plugin.init == nullptr)
        return {};
    {
        const std::lock_guard lock(said().mutex);
        said().lines.clear();
    }
    // Valid until deinit, which is never called: plugins stay loaded.
    static constexpr tg_host host{sizeof(tg_host), TG_ABI_MINOR, log_line};
    std::array<char, 1024> message{};
    tg_error error{sizeof(tg_error), message.size(), message.data()};
    const tg_status status = plugin.init(&host, &error);
    if (status == TG_OK) {
        const std::lock_guard lock(said().mutex);
        return said().lines;
    }
    std::string sentence = made_printable({message.data(), ::strnlen(message.data(), message.size())});
    if (!sentence.empty() && std::string_view(".!?").find(sentence.back()) == std::string_view::npos)
        sentence += '.';
    fail(path, "its init refuses with {} ({}){}{}", status_name(status), status,
         sentence.empty() ? ", without saying why." : ": ", sentence);
}

int log_to(int descriptor) noexcept {
    return log_descriptor.exchange(descriptor);
}

} // namespace tune_gemm::host
