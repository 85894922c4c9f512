// library.: the file as a shared library: what it offers to others, takes from them, and is made of.
#include "conformance/library.hpp"

#include "conformance/disassembly.hpp"
#include "runtime/dynamic_symbols.hpp"
#include "runtime/library.hpp"

#include <tune_gemm/abi.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include <link.h>

namespace tune_gemm::host {
namespace {

/// What linkers themselves may define in a library.
constexpr std::array<std::string_view, 8> linker_names{
    "_init", "_fini", "_edata", "_end", "__bss_start", "__bss_start__", "__bss_end__", "__end__"};

/// What the language's own libraries are called, up to ".so".
constexpr std::array<std::string_view, 16> language_libraries{
    "libc",       "libm",     "libgcc_s",        "libstdc++",       "libc++",    "libc++abi",
    "libpthread", "libdl",    "librt",           "libquadmath",     "libatomic", "libgomp",
    "libomp",     "libiomp5", "ld-linux-x86-64", "ld-linux-aarch64"};

/// Runtimes of OpenMP; two in one process start two pools of threads, or worse.
constexpr std::array<std::string_view, 3> openmp_runtimes{"libgomp", "libomp", "libiomp5"};

template <std::size_t count>
bool is_one_of(const std::array<std::string_view, count>& names, std::string_view name) noexcept {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// "libgomp" of "/usr/lib/libgomp.so.1".
std::string_view library_name(std::string_view path) noexcept {
    const std::string_view file = path.substr(path.rfind('/') + 1);
    return file.substr(0, file.find(".so"));
}

/// Sanitizers' runtimes come with the program that loads a plugin.
bool comes_with_program(std::string_view symbol) noexcept {
    constexpr std::array<std::string_view, 6> prefixes{"__asan_", "__ubsan_", "__tsan_",
                                                       "__msan_", "__lsan_",  "__sanitizer_"};
    // The system's loader, which is in every process, does not say that it has this one: a thread_local
    // variable needs it.
    return symbol == "__tls_get_addr" ||
           std::any_of(prefixes.begin(), prefixes.end(),
                       [&](std::string_view prefix) { return symbol.starts_with(prefix); });
}

std::string and_more(std::size_t others) {
    return others == 0 ? "" : fmt::format(" and {} more", others);
}

void check_exports(const CheckContext& context, Tally& tally) {
    std::vector<std::string> others;
    for (const DynamicSymbol& symbol : read_dynamic_tables(plugin_file(context)).symbols) {
        if (!symbol.defined || is_one_of(linker_names, symbol.name))
            continue;
        tally.ran();
        if (symbol.name != TG_SYMBOL)
            others.push_back(symbol.name);
    }
    if (!others.empty())
        fail_check(
            fmt::format("It also exports {}{}. Another library's symbol of that name can take its place. "
                        "Link with a version script: {{ global: {}; local: *; }};",
                        others.front(), and_more(others.size() - 1), TG_SYMBOL));
}

void check_unique(const CheckContext& context, Tally& tally) {
    std::vector<std::string> unique;
    for (const DynamicSymbol& symbol : read_dynamic_tables(plugin_file(context)).symbols) {
        tally.ran();
        if (symbol.binding == DynamicSymbol::Binding::unique)
            unique.push_back(symbol.name);
    }
    if (!unique.empty())
        fail_check(
            fmt::format("{}{} bound as STB_GNU_UNIQUE, so the library is never unloaded. It is a static "
                        "variable of an inline function or template: make it local by a version script, "
                        "or compile with -fno-gnu-unique.",
                        unique.front(), unique.size() == 1 ? " is" : and_more(unique.size() - 1) + " are"));
}

void check_dependencies(const CheckContext& context, Tally& tally) {
    const auto& path = plugin_file(context);
    const DynamicTables tables = read_dynamic_tables(path);
    const LoadedLibrary loaded(path); // so that the libraries that it needs are there to be asked
    for (const DynamicSymbol& symbol : tables.symbols) {
        if (symbol.defined || symbol.binding == DynamicSymbol::Binding::weak ||
            comes_with_program(symbol.name))
            continue;
        tally.ran();
        const bool found =
            std::any_of(tables.needed.begin(), tables.needed.end(), [&](const std::string& needed) {
                return loaded_library_offers(needed, symbol.name);
            });
        if (!found)
            fail_check(fmt::format(
                "It takes {} from a library that it does not name; here it happens to be loaded "
                "by the program, in another one it may not be. {}{}",
                symbol.name,
                is_cpp_symbol(symbol.name)
                    ? "It belongs to C++: link with c++ (g++, clang++), not with cc or ld."
                    : "Name the library when linking, and link with -Wl,-z,defs.",
                tables.needed.empty() ? " It names none."
                                      : fmt::format(" It names {}.", fmt::join(tables.needed, ", "))));
    }
    tally.ran(); // all of them were looked at, if there are any
}

/// Files of libraries that are loaded in this process.
std::set<std::string> loaded_libraries() {
    std::set<std::string> names;
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* to) {
            if (info->dlpi_name != nullptr && *info->dlpi_name != '\0')
                static_cast<std::set<std::string>*>(to)->insert(info->dlpi_name);
            return 0;
        },
        &names);
    return names;
}

void check_needed(const CheckContext& context, Tally& tally) {
    const auto& path = plugin_file(context);
    const auto& kernels = context.plugin->kernels;
    const bool only_tiles = std::none_of(kernels.begin(), kernels.end(),
                                         [](const KernelInfo& kernel) { return kernel.whole_gemm; });
    for (const std::string& needed : read_dynamic_tables(path).needed) {
        tally.ran();
        if (only_tiles && !is_one_of(language_libraries, library_name(needed)))
            fail_check(
                fmt::format("It needs {}, though a tile needs no library but the language's own: whoever "
                            "uses the plugin has to have it too.",
                            needed));
    }
    const LoadedLibrary loaded(path);
    std::vector<std::string> runtimes;
    for (const std::string& library : loaded_libraries())
        if (is_one_of(openmp_runtimes, library_name(library)))
            runtimes.push_back(library);
    tally.ran();
    if (runtimes.size() > 1)
        fail_check(
            fmt::format("It brings {} runtimes of OpenMP into one process: {}. Link everything with one.",
                        runtimes.size(), fmt::join(runtimes, ", ")));
}

void check_instructions(const CheckContext& context, Tally& tally) {
    const auto& path = plugin_file(context);
#if !defined(__x86_64__)
    skip_check("Instructions are told apart on x86-64 only.");
#endif
    std::vector<std::string> declared;
    for (const KernelInfo& kernel : context.plugin->kernels) {
        if (kernel.whole_gemm)
            skip_check(fmt::format(
                "Kernel {} is a whole-gemm kernel, which may choose its instructions itself.", kernel.id));
        declared.insert(declared.end(), kernel.cpu.begin(), kernel.cpu.end());
    }
    const auto known = with_implied(declared);
    std::string breach;
    const std::string reason =
        disassemble(path, [&](const Instruction& instruction, const std::string& function) {
            tally.ran();
            const std::string_view feature = feature_of(instruction);
            if (feature.empty() || known.contains(feature))
                return true;
            breach = fmt::format(
                "At 0x{}{} it has \"{}\", which needs {}; its kernels declare {}. Declare the "
                "feature in cpu, or compile only the kernel's own source for a newer processor.",
                instruction.address, function.empty() ? "" : " in " + function, instruction.text, feature,
                declared.empty() ? "none" : fmt::format("{}", fmt::join(declared, ", ")));
            return false;
        });
    if (!breach.empty())
        fail_check(breach);
    if (!reason.empty())
        skip_check(reason);
}

using std::chrono::seconds;

const Check library_table[] = {
    {"library.exports", "The file exports one symbol, tune_gemm_plugin_v1, and nothing else.", Severity::must,
     Scope::plugin, seconds(5), check_exports},
    {"library.unique", "No symbol is STB_GNU_UNIQUE, which would keep the library loaded for ever.",
     Severity::must, Scope::plugin, seconds(5), check_unique},
    {"library.dependencies", "Every symbol that the file takes is in a library that it names itself.",
     Severity::must, Scope::plugin, seconds(10), check_dependencies},
    {"library.needed",
     "A tile needs the language's own libraries only, and nobody brings a second runtime of OpenMP.",
     Severity::should, Scope::plugin, seconds(10), check_needed},
    {"library.instructions", "A tile's code has no instructions but those of the features that it declares.",
     Severity::must, Scope::plugin, seconds(20), check_instructions},
    {"library.float_control", "Loading changes no rounding, flushing or trapping, on any thread.",
     Severity::must, Scope::plugin, seconds(10), check_library_float_control},
    {"library.thread_end", "A thread may load, call, unload, and end.", Severity::must, Scope::plugin,
     seconds(10), check_library_thread_end},
    {"library.unload", "The library can be unloaded and loaded again, and leaves nothing behind.",
     Severity::must, Scope::plugin, seconds(20), check_library_unload},
    {"library.memory", "Called again and again, by one thread after the other, it keeps no memory.",
     Severity::must, Scope::plugin, seconds(20), check_library_memory},
};

} // namespace

const std::filesystem::path& plugin_file(const CheckContext& context) {
    if (context.plugin == nullptr)
        skip_check("The kernel comes from no file.");
    return context.plugin->path;
}

std::span<const Check> library_checks() noexcept {
    return library_table;
}

} // namespace tune_gemm::host
