#include "conformance/check_job.hpp"

#include "conformance/load_record.hpp"
#include "worker/crash_note.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace tune_gemm::host {
namespace {

CheckRequest parse_request(const json::Field& request) {
    CheckRequest parsed;
    parsed.plugin = request["plugin"].string();
    parsed.sha256 = request["sha256"].string();
    parsed.kernel = request["kernel"].string();
    parsed.tile = static_cast<int>(request["tile"].integer(-1, 64));
    parsed.check = request["check"].string();
    parsed.seed = request["seed"].decimal_u64();
    parsed.limit = std::chrono::milliseconds(request["limit_ms"].integer(0, 86'400'000));
    if (request.has("described"))
        parsed.described = parse_plugin(request["described"]);
    return parsed;
}

const TileInfo* tile_of(const KernelInfo& kernel, int tile) {
    if (tile < 0)
        return nullptr;
    if (static_cast<std::size_t>(tile) >= kernel.tiles.size()) {
        throw_bad_input(fmt::format("Kernel {} has {} tiles; there is no tile {}.", kernel.id,
                                    kernel.tiles.size(), tile));
    }
    return &kernel.tiles[static_cast<std::size_t>(tile)];
}

} // namespace

json::value check_request_json(const CheckRequest& request) {
    json::object object{{"plugin", request.plugin.string()},
                        {"sha256", request.sha256},
                        {"kernel", request.kernel},
                        {"tile", request.tile},
                        {"check", request.check},
                        {"seed", std::to_string(request.seed)},
                        {"limit_ms", request.limit.count()}};
    if (request.described)
        object["described"] = plugin_json(*request.described);
    return object;
}

json::value check_result_json(const CheckResult& result) {
    return json::object{
        {"status", to_text(result.status)}, {"sentence", result.sentence}, {"cases", result.cases}};
}

CheckResult parse_check_result(const json::Field& field) {
    field.only({"status", "sentence", "cases"});
    CheckResult result;
    result.status = parse_check_status(field["status"].string());
    result.sentence = field["sentence"].string();
    result.cases = field["cases"].integer(0, std::numeric_limits<std::int64_t>::max());
    return result;
}

CheckResult perform_check(const CheckRequest& request) {
    const Check* check = find_check(request.check);
    if (check == nullptr)
        throw_bad_input(fmt::format("There is no check \"{}\".", request.check));
    if (check->scope == Scope::plugin) {
        if (!request.described || request.described->kernels.empty())
            throw_bad_input(fmt::format("{} needs the description of a plugin.", request.check));
        return run_check(*check,
                         {&*request.described, request.described->kernels.front(), nullptr, request.seed});
    }
    const LoadRecord& loaded = load_recorded(request.plugin, request.sha256);
    const PluginInfo& plugin = loaded.plugin;
    const auto kernel = std::find_if(plugin.kernels.begin(), plugin.kernels.end(),
                                     [&](const KernelInfo& known) { return known.id == request.kernel; });
    if (kernel == plugin.kernels.end())
        throw_bad_input(fmt::format("{} holds no kernel \"{}\".", request.plugin.string(), request.kernel));
    return run_check(*check,
                     {&plugin, *kernel, tile_of(*kernel, request.tile), request.seed, nullptr, &loaded});
}

json::value check_job(const json::Field& field) {
    static const bool installed = (install_crash_notes(), true);
    static_cast<void>(installed);
    const CheckRequest request = parse_request(field);
    note_hang_after(request.limit * 9 / 10);
    const CheckResult result = perform_check(request);
    note_hang_after(std::chrono::milliseconds(0));
    return check_result_json(result);
}

} // namespace tune_gemm::host
