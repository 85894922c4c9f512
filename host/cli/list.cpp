// tune-gemm list: the kernels that are there.
#include "cli/command.hpp"
#include "cli/kernel_text.hpp"
#include "cli/options.hpp"
#include "report/table.hpp"
#include "report/visible.hpp"

#include <fmt/format.h>

#include <memory>

namespace tune_gemm::host {
namespace {

struct ListOptions {
    PluginOptions plugins;
    bool json = false;
};

std::string human_text(const Registry& registry) {
    Table table({{"KERNEL"}, {"CLASS"}, {"TILES"}, {"USABLE"}, {"FILE"}});
    std::string reasons, refused, names, said;
    for (const PluginEntry& entry : registry.entries) {
        if (!entry.info) {
            refused += fmt::format("  {}\n", entry.refused);
            continue;
        }
        for (const KernelInfo& kernel : entry.info->kernels) {
            const bool usable = kernel.unusable.empty();
            table.add_row({kernel.id, to_text(kernel.arithmetic), tiles_text(kernel), usable ? "yes" : "no",
                           entry.path.string()});
            const std::string reason = usable ? "" : fmt::format("  {}: {}\n", kernel.id, kernel.unusable);
            if (reasons.find(reason) == std::string::npos) // of an id that two files have, once
                reasons += reason;
        }
        for (const std::string& line : entry.info->said)
            said += fmt::format("  {}: {}\n", entry.info->name, line);
        for (const auto& name : entry.also_known_as)
            names += fmt::format("  {} is {}\n", name.string(), entry.path.string());
    }

    std::string text;
    if (!table.empty()) {
        text += table.text();
        if (const auto found = registry.catalogue.resolve("auto"))
            text += fmt::format("\nauto ({}) is {}.\n", to_text(registry.catalogue.auto_class),
                                found.value()->id);
        else
            text += fmt::format("\n{}\n", found.refusal().reason);
    } else {
        text += "No kernels were found in these folders:\n";
        for (const auto& folder : registry.searched)
            text += fmt::format("  {}\n", folder.string());
    }
    const auto add_part = [&text](const char* title, const std::string& lines) {
        if (!lines.empty())
            text += fmt::format("\n{}\n{}", title, lines);
    };
    add_part("Not usable:", reasons);
    add_part("Refused:", refused);
    add_part("Said when they were loaded:", said);
    add_part("The same file under another name:", names);
    return text;
}

json::value registry_json(const Registry& registry) {
    json::array kernels, refused, searched;
    for (const PluginEntry& entry : registry.entries) {
        if (!entry.info) {
            refused.push_back(json::object{{"path", entry.path.string()}, {"reason", entry.refused}});
            continue;
        }
        json::array names;
        for (const auto& name : entry.also_known_as)
            names.push_back(json::value(name.string()));
        for (const KernelInfo& kernel : entry.info->kernels) {
            json::object facts = kernel_facts_json(kernel);
            facts["file"] = entry.path.string();
            facts["also_known_as"] = names;
            facts["sha256"] = entry.info->sha256;
            facts["said"] = json::array(entry.info->said.begin(), entry.info->said.end());
            kernels.push_back(std::move(facts));
        }
    }
    for (const auto& folder : registry.searched)
        searched.push_back(json::value(folder.string()));
    json::value chosen; // null when there is none
    if (const auto found = registry.catalogue.resolve("auto"))
        chosen = found.value()->id;
    return json::object{
        {"kernels", std::move(kernels)},
        {"auto", json::object{{"class", to_text(registry.catalogue.auto_class)}, {"id", chosen}}},
        {"refused", std::move(refused)},
        {"searched", std::move(searched)}};
}

} // namespace

void add_list_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<ListOptions>();
    CLI::App* const command =
        app.add_subcommand("list", "List kernels: what is there, from where, usable or why not");
    command->footer("Examples:\n"
                    "  tune-gemm list --plugin-path build/plugins   with the plugins of a folder\n"
                    "  tune-gemm list --json                        for programs");
    add_json_option(*command, options->json);
    add_plugin_options(*command, options->plugins);
    command->callback([options, &exit_code] {
        const Registry registry = open_registry(options->plugins.registry());
        fmt::print("{}", options->json ? json::write_indented(registry_json(registry))
                                       : visible(human_text(registry)));
        exit_code = 0;
    });
}

} // namespace tune_gemm::host
