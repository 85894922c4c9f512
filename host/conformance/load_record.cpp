#include "conformance/load_record.hpp"

#include "runtime/load.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace tune_gemm::host {
namespace {

struct Records {
    std::mutex mutex;
    std::vector<std::unique_ptr<LoadRecord>> all;
};
Records& records() { // never destroyed, as no plugin is unloaded
    static Records& known = *new Records;
    return known;
}

} // namespace

const LoadRecord& load_recorded(const std::filesystem::path& path, const std::string& expected_sha256) {
    Records& known = records();
    const std::lock_guard lock(known.mutex);
    const ProcessState before = ProcessState::now();
    std::optional<CaughtOutput> output(std::in_place);
    const PluginInfo& plugin = load_plugin(path, expected_sha256);
    const std::string printed = output->text();
    output.reset();
    for (const auto& record : known.all)
        if (&record->plugin == &plugin)
            return *record;
    known.all.push_back(
        std::make_unique<LoadRecord>(LoadRecord{plugin, before, ProcessState::now(), printed}));
    return *known.all.back();
}

} // namespace tune_gemm::host
