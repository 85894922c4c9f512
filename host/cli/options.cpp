#include "cli/options.hpp"

#include "report/visible.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>

namespace tune_gemm::host {
namespace {

/// A validator that reads the option's text into `out` with `parse`; what that throws is the option's error.
template <class T, class Parse>
CLI::Validator reader(T& out, Parse parse) {
    return CLI::Validator(
        [&out, parse](const std::string& text) -> std::string {
            try {
                out = parse(text);
                return {};
            } catch (const Error& error) {
                return error.what();
            }
        },
        "");
}

/// The option's text is read by `parse` alone: CLI11's own conversions are lenient.
template <class T, class Parse>
CLI::Option* add_parsed(CLI::App& app, const std::string& name, T& out, const std::string& description,
                        Parse parse) {
    return app
        .add_option_function<std::string>(
            name, [](const std::string&) {}, description)
        ->check(reader(out, std::move(parse)));
}

std::uint64_t parse_seed(std::string_view text) {
    std::uint64_t seed = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
        throw_bad_input(fmt::format("\"{}\" is not a whole number from 0 to {}.", text,
                                    std::numeric_limits<std::uint64_t>::max()));
    return seed;
}

double parse_finite(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range)
        throw_bad_input(fmt::format("{} lies outside the range of double, 2.2e-308 to 1.8e308.", text));
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        throw_bad_input(fmt::format("\"{}\" is not a finite number; write it like 1, -0.5 or 1e-3.", text));
    return value;
}

} // namespace

RegistryOptions PluginOptions::registry(const ArithmeticClass& auto_class) const {
    RegistryOptions options;
    options.plugin_paths.assign(paths.begin(), paths.end());
    options.allow_unsafe_path = allow_unsafe_path;
    options.locked = locked || !lock_file.empty();
    options.lock_file = lock_file;
    options.auto_class = auto_class;
    return options;
}

std::string PluginOptions::words() const {
    std::string words;
    for (const std::string& path : paths)
        words += " --plugin-path " + shell_word(path);
    if (allow_unsafe_path)
        words += " --allow-unsafe-path";
    if (!lock_file.empty())
        words += " --lock-file " + shell_word(lock_file);
    else if (locked)
        words += " --locked";
    return words;
}

void add_plugin_options(CLI::App& app, PluginOptions& options) {
    constexpr const char* group = "Plugins";
    app.add_option("--plugin-path", options.paths,
                   "What is here comes before what is elsewhere; may be repeated")
        ->type_name("FOLDER|FILE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false)
        ->group(group);
    app.add_flag("--allow-unsafe-path", options.allow_unsafe_path,
                 "Take files and folders that others can write")
        ->group(group);
    app.add_flag("--locked", options.locked, "Take only what plugins.lock.json lists")->group(group);
    app.add_option("--lock-file", options.lock_file, "Take only what this file lists")
        ->type_name("FILE")
        ->group(group);
}

void print_warnings(const PluginInfo& plugin) {
    for (const std::string& warning : warnings_of(plugin))
        std::fputs(fmt::format("warning: {}: {}\n", plugin.name, visible(warning)).c_str(), stderr);
}

void print_taken_ids(const PluginInfo& plugin, const PluginOptions& options) {
    const Registry registry = open_registry(options.registry());
    for (const KernelInfo& kernel : plugin.kernels)
        for (const std::string& sentence : taken_id(registry, kernel.id, plugin.path))
            fmt::print("\nnote: {}\n", visible(sentence));
}

void add_kernel_option(CLI::App& app, std::string& id) {
    app.add_option("--kernel", id, "Which kernel (tune-gemm list shows them)")
        ->type_name("ID")
        ->default_str("auto");
}

void add_dtype_option(CLI::App& app, tg_dtype& dtype) {
    add_parsed(app, "--dtype", dtype, "Element type: f64 or f32",
               [](const std::string& text) {
                   const tg_dtype parsed = parse_dtype(text);
                   if (parsed != TG_F64 && parsed != TG_F32)
                       throw_bad_input(fmt::format("\"{}\" is not served yet; f64 and f32 are.", text));
                   return parsed;
               })
        ->type_name("TYPE")
        ->default_str(std::string(dtype_text(dtype)));
}

void add_arithmetic_option(CLI::App& app, Arithmetic& given) {
    const std::map<std::string, Arithmetic> known{{"sequential", Arithmetic::sequential},
                                                  {"two-roundings", Arithmetic::two_roundings},
                                                  {"fused", Arithmetic::fused}};
    std::string usual;
    for (const auto& [name, arithmetic] : known)
        if (arithmetic == given)
            usual = name;
    add_parsed(app, "--arithmetic", given,
               "What auto is to sum like: sequential takes the faster of the two roundings",
               [known](const std::string& text) {
                   const auto found = known.find(text);
                   if (found == known.end())
                       throw_bad_input(fmt::format(
                           "\"{}\" is no arithmetic; it is one of sequential, two-roundings, fused.", text));
                   return found->second;
               })
        ->type_name("CLASS")
        ->default_str(usual);
}

Registry open_registry_for(const PluginOptions& options, tg_dtype dtype, Arithmetic arithmetic) {
    ArithmeticClass wanted = default_class(dtype);
    if (arithmetic == Arithmetic::fused)
        wanted.muladd = TG_FUSED;
    Registry registry = open_registry(options.registry(wanted));
    if (arithmetic == Arithmetic::sequential)
        registry.catalogue.auto_class = fastest_class(registry, dtype);
    return registry;
}

void add_workspace_limit_option(CLI::App& app, std::int64_t& bytes) {
    add_parsed(app, "--workspace-limit", bytes, "Memory for packing and buffers, a thread",
               [](const std::string& text) { return parse_bytes(text); })
        ->type_name("BYTES")
        ->default_str("16MiB");
}

void add_seed_option(CLI::App& app, std::uint64_t& seed) {
    add_parsed(app, "--seed", seed, "Of the operands",
               [](const std::string& text) { return parse_seed(text); })
        ->type_name("N")
        ->default_str(std::to_string(seed));
}

void add_factor_option(CLI::App& app, const std::string& name, double& factor,
                       const std::string& description) {
    add_parsed(app, name, factor, description, [](const std::string& text) { return parse_finite(text); })
        ->type_name("NUMBER")
        ->default_str(fmt::format("{}", factor));
}

void add_count_option(CLI::App& app, const std::string& name, std::int64_t& out, std::int64_t least,
                      std::int64_t most, const std::string& description) {
    add_parsed(app, name, out, description,
               [least, most](const std::string& text) {
                   std::int64_t count = 0;
                   const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
                   if (error != std::errc() || end != text.data() + text.size() || count < least ||
                       count > most)
                       throw_bad_input(
                           fmt::format("\"{}\" is not a whole number from {} to {}.", text, least, most));
                   return count;
               })
        ->type_name("N")
        ->default_str(std::to_string(out));
}

void add_seconds_option(CLI::App& app, const std::string& name, double& out, double least, std::int64_t most,
                        const std::string& description) {
    CLI::Option* const option =
        add_parsed(app, name, out, description, [least, most](const std::string& text) {
            const double seconds = parse_finite(text);
            if (seconds < least || seconds > static_cast<double>(most))
                throw_bad_input(
                    fmt::format("\"{}\" is not a number of seconds from {:g} to {}.", text, least, most));
            return seconds;
        });
    option->type_name("SECONDS");
    if (out > 0)
        option->default_str(fmt::format("{:g}", out));
}

void add_json_option(CLI::App& app, bool& json) {
    app.add_flag("--json", json, "Print JSON");
}

std::int64_t parse_bytes(std::string_view text) {
    struct Unit {
        std::string_view name;
        int shift;
    };
    constexpr Unit units[] = {{"", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    const auto* const found =
        std::find_if(std::begin(units), std::end(units), [&](const Unit& one) { return one.name == unit; });
    if (error != std::errc() || found == std::end(units) || number <= 0 ||
        number > (std::numeric_limits<std::int64_t>::max() >> found->shift))
        throw_bad_input(fmt::format(
            "\"{}\" is not a positive number of bytes below 2^63; write it like 65536, 64KiB, 16MiB or 1GiB.",
            text));
    return number << found->shift;
}

std::string shell_word(std::string_view word) {
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
        return std::isalnum(c) ||
               std::string_view("_-+=./:,@%").find(static_cast<char>(c)) != std::string_view::npos;
    });
    if (plain)
        return std::string(word);
    std::string quoted = "'";
    for (const char c : word)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + '\'';
}

} // namespace tune_gemm::host
