// tune-gemm inspect: everything about one plugin file, or about one kernel and the file that it comes from.
#include "cli/command.hpp"
#include "cli/kernel_text.hpp"
#include "cli/options.hpp"
#include "report/table.hpp"

#include <fmt/format.h>

#include <memory>

namespace tune_gemm::host {
namespace {

struct InspectOptions {
    PluginOptions plugins;
    std::string what;
    bool json = false;
};

std::string blocks_text(const TileInfo& tile) {
    const auto one = [](const char* name, std::uint32_t block) {
        return block == 0 ? fmt::format("{} by the host", name) : fmt::format("{} {}", name, block);
    };
    if (tile.mc == 0 && tile.nc == 0 && tile.kc == 0)
        return "chosen by the host";
    return fmt::format("{}, {}, {}", one("mc", tile.mc), one("nc", tile.nc), one("kc", tile.kc));
}

std::string k_text(const TileInfo& tile) {
    std::string text = tile.k_unroll > 1 ? fmt::format("unrolled by {}", tile.k_unroll) : "not unrolled";
    if (tile.kr > 1)
        text += fmt::format(", packed in groups of {}", tile.kr);
    return text;
}

std::string tiles_table(const KernelInfo& kernel) {
    std::string text;
    for (const TileInfo& tile : kernel.tiles) {
        FactList facts;
        facts.add("    A", access_text(tile.access_a));
        facts.add("    B", access_text(tile.access_b));
        facts.add("    C", access_text(tile.access_c));
        facts.add("    blocks", blocks_text(tile));
        facts.add("    k", k_text(tile));
        facts.add("    alignment", tile.align_packed == 0
                                       ? "of packed panels: that of an element"
                                       : fmt::format("of packed panels: {} bytes", tile.align_packed));
        text += fmt::format("  tile {}\n{}", tile_text(tile), facts.text());
    }
    return text;
}

std::string kernel_block(const KernelInfo& kernel) {
    FactList facts;
    facts.add("  summary", kernel.summary);
    facts.add("  class", to_text(kernel.arithmetic));
    facts.add("  kind", kernel.whole_gemm ? "whole product, with blocking of its own" : "register tile");
    facts.add("  processor", features_text(kernel));
    facts.add("  flags", flags_text(kernel.flags));
    facts.add("  rank", std::to_string(kernel.rank));
    facts.add("  usable", kernel.unusable.empty() ? "yes" : "no: " + kernel.unusable);
    return fmt::format("\nkernel {}\n{}{}", kernel.id, facts.text(), tiles_table(kernel));
}

std::string human_text(const PluginInfo& plugin) {
    FactList facts;
    facts.add("plugin", fmt::format("{} {}", plugin.name, plugin.version));
    facts.add("file", plugin.path.string());
    facts.add("SHA-256", plugin.sha256);
    facts.add("vendor", plugin.vendor);
    facts.add("license", plugin.license);
    facts.add("interface", fmt::format("{}.{}", plugin.abi_major, plugin.abi_minor));
    for (const std::string& line : plugin.said)
        facts.add("says", line);
    std::string text = facts.text();
    for (const KernelInfo& kernel : plugin.kernels)
        text += kernel_block(kernel);
    return text;
}

json::value facts_json(const PluginInfo& plugin) {
    json::array kernels;
    for (const KernelInfo& kernel : plugin.kernels)
        kernels.push_back(kernel_facts_json(kernel));
    return json::object{
        {"path", plugin.path.string()},  {"sha256", plugin.sha256},
        {"name", plugin.name},           {"version", plugin.version},
        {"vendor", plugin.vendor},       {"license", plugin.license},
        {"abi_major", plugin.abi_major}, {"abi_minor", plugin.abi_minor},
        {"kernels", std::move(kernels)}, {"said", json::array(plugin.said.begin(), plugin.said.end())}};
}

/// The plugin with that kernel alone. One that cannot be used here is shown, too, with the reason.
PluginInfo find_by_id(const InspectOptions& options) {
    const Registry registry = open_registry(options.plugins.registry());
    const KernelInfo* known = registry.catalogue.find(options.what);
    const KernelInfo kernel = known != nullptr ? *known : select_kernel(registry, options.what).kernel;
    PluginInfo plugin = registry.plugin_of(kernel);
    plugin.kernels = {kernel};
    return plugin;
}

} // namespace

void add_inspect_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<InspectOptions>();
    CLI::App* const command = app.add_subcommand("inspect", "Show what a plugin file says of itself");
    command->footer("Examples:\n"
                    "  tune-gemm inspect ./mine.so   a file, wherever it lies\n"
                    "  tune-gemm inspect scalar      the file that a kernel comes from");
    command->add_option("file-or-id", options->what, "A file (./mine.so), or the id of a kernel")
        ->type_name("")
        ->required();
    add_json_option(*command, options->json);
    add_plugin_options(*command, options->plugins);
    command->callback([options, &exit_code] {
        const PluginInfo plugin = names_a_file(options->what)
                                      ? inspect_file(options->what, options->plugins.registry())
                                      : find_by_id(*options);
        fmt::print("{}", options->json ? json::write_indented(facts_json(plugin)) : human_text(plugin));
        if (!options->json && names_a_file(options->what))
            print_taken_ids(plugin, options->plugins);
        exit_code = 0;
    });
}

} // namespace tune_gemm::host
