// Options that several subcommands share, so that they are named, checked and explained alike.
#pragma once
#include "runtime/registry.hpp"

#include <tune_gemm/catalogue.hpp>

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tune_gemm::host {

/// --plugin-path, --allow-unsafe-path, --locked, --lock-file.
struct PluginOptions {
    std::vector<std::string> paths;
    bool allow_unsafe_path = false;
    bool locked = false;
    std::string lock_file; ///< names one: implies locked

    /// Folders and rules for open_registry; `auto_class` is what `auto` asks for.
    RegistryOptions registry(const ArithmeticClass& auto_class = {}) const;
    /// The same as words of a command that repeats this one, each with a blank before it.
    std::string words() const;
};
void add_plugin_options(CLI::App&, PluginOptions&);

/// "warning: ..." on standard error for each warning that the plugin gave when it was loaded: what is timed
/// is perhaps not what is meant.
void print_warnings(const PluginInfo&);
/// "note: ..." for each id of the file that a file in the search folders has already.
void print_taken_ids(const PluginInfo&, const PluginOptions&);

/// --kernel ID, "auto" when not given.
void add_kernel_option(CLI::App&, std::string& id);
/// --dtype f64|f32.
void add_dtype_option(CLI::App&, tg_dtype&);
/// --arithmetic sequential|two-roundings|fused: the class that `auto` is asked for in. `given` is what holds
/// when the option is not there.
enum class Arithmetic : std::uint8_t { sequential, two_roundings, fused };
void add_arithmetic_option(CLI::App&, Arithmetic& given);
/// The registry, in which `auto` means the best usable kernel of that class; for `sequential` of
/// fastest_class.
Registry open_registry_for(const PluginOptions&, tg_dtype, Arithmetic);
/// --workspace-limit BYTES, positive; "64KiB", "16MiB" and "1GiB" are understood.
void add_workspace_limit_option(CLI::App&, std::int64_t& bytes);
/// --seed N, 0 to 2^64-1.
void add_seed_option(CLI::App&, std::uint64_t&);
/// alpha or beta: a finite double.
void add_factor_option(CLI::App&, const std::string& name, double& factor, const std::string& description);
/// A whole number from `least` to `most`.
void add_count_option(CLI::App&, const std::string& name, std::int64_t& out, std::int64_t least,
                      std::int64_t most, const std::string& description);
/// A time from `least` to `most`; 0, the default of some, is not shown.
void add_seconds_option(CLI::App&, const std::string& name, double& out, double least, std::int64_t most,
                        const std::string& description);
/// --json.
void add_json_option(CLI::App&, bool&);

/// A positive number of bytes with an optional KiB, MiB or GiB. Throws Error (bad_input) saying what was
/// expected.
std::int64_t parse_bytes(std::string_view text);
/// A word as a shell takes it: quoted when that is needed.
std::string shell_word(std::string_view);

/// The class that `auto` asks for: sequential, two roundings, of that type.
inline ArithmeticClass default_class(tg_dtype dtype = TG_F64) noexcept {
    return {dtype, TG_SEQUENTIAL, TG_TWO_ROUNDINGS};
}
inline constexpr std::int64_t default_workspace_limit = std::int64_t{16} << 20; ///< bytes, a thread

} // namespace tune_gemm::host
