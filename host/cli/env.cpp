// tune-gemm env: what decides whether a tuned result may be used here, and what explains it.
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "report/table.hpp"
#include "report/units.hpp"
#include "runtime/cpu.hpp"
#include "runtime/environment_record.hpp"
#include "runtime/memory.hpp"
#include "runtime/registry.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>

namespace tune_gemm::host {
namespace {

struct EnvOptions {
    PluginOptions plugins;
    std::string kernel; ///< empty: the environment without a plugin
    std::int64_t threads = 1;
    bool json = false;
};

void add_members(FactList& facts, const json::object& members) {
    for (const auto& member : members)
        facts.add("  " + std::string(member.key()), std::string(member.value().as_string()));
}

std::string human_text(const EnvironmentRecord& record) {
    const json::object all = environment_record_json(record);
    const AvailableMemory memory = available_memory();
    std::string text = "decides (a tuned result is used only where all of these are equal)\n";
    FactList facts;
    add_members(facts, all.at("environment").as_object());
    text += facts.text() + "explains\n";
    facts = {};
    facts.add("  processor", cpu_info().brand.empty() ? "unknown" : cpu_info().brand);
    facts.add("  caches from", cpu_info().caches_source.empty() ? "unknown" : cpu_info().caches_source);
    facts.add("  memory available", fmt::format("{} ({})", bytes_text(memory.bytes), memory.set_by));
    add_members(facts, all.at("explanation").as_object());
    text += facts.text() + "comes from\n";
    facts = {};
    add_members(facts, all.at("provenance").as_object());
    return text + facts.text();
}

} // namespace

void add_env_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<EnvOptions>();
    CLI::App* const command = app.add_subcommand("env", "Show the environment that results are tied to");
    add_count_option(*command, "--threads", options->threads, 1, 1 << 20, "Threads that a result would use");
    command->add_option("--kernel", options->kernel, "Record the hash of this kernel's plugin as well")
        ->type_name("ID");
    add_plugin_options(*command, options->plugins);
    add_json_option(*command, options->json);
    command->callback([options, &exit_code] {
        PluginInfo plugin; // without --kernel none is meant
        if (!options->kernel.empty())
            plugin = select_kernel(open_registry(options->plugins.registry()), options->kernel).plugin;
        const EnvironmentRecord record =
            collect_environment(plugin.sha256, static_cast<int>(options->threads), plugin.said);
        fmt::print("{}", options->json ? json::write_indented(environment_record_json(record))
                                       : human_text(record));
        exit_code = 0;
    });
}

} // namespace tune_gemm::host
