#include "tune/tuned_results.hpp"

#include "store/text_file.hpp"
#include "tune/result.hpp"

#include <tune_gemm/catalogue.hpp>
#include <tune_gemm/config.hpp>
#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <limits>
#include <map>
#include <string_view>

namespace tune_gemm::host {
namespace {

constexpr std::int64_t largest_results = std::int64_t{64} << 20; ///< bytes

/// Whether what was recorded of the library and its plugins ("tune_gemm 0.1.0, plugin HASH,HASH") is what is
/// here, with one plugin: a run with kernels of several names them all.
bool same_runtime(std::string_view recorded, std::string_view here) {
    const std::size_t hash = here.rfind(' ') + 1;
    return recorded.starts_with(here.substr(0, hash)) &&
           recorded.find(here.substr(hash), hash) != recorded.npos;
}

std::string quoted(const std::string& text) {
    return json::write(json::value(text));
}

/// Throws unless the text is what the rest of the file makes it.
void require_text(const json::Field& field, const std::string& expected, const std::string& because) {
    if (const std::string text = field.string(); text != expected)
        field.fail(fmt::format("{} contradicts {}; expected {}", quoted(text), because, quoted(expected)));
}

/// Whether the entry's outcome says that there is a winner.
bool claims_winner(const json::Field& outcome) {
    const std::string text = outcome.string();
    for (const TuneOutcome with : {TuneOutcome::tuned, TuneOutcome::unconfirmed})
        if (text == to_text(with))
            return true;
    for (const TuneOutcome without : {TuneOutcome::all_failed, TuneOutcome::no_time, TuneOutcome::none_valid})
        if (text == to_text(without))
            return false;
    outcome.fail(fmt::format(
        "{} is no outcome; expected tuned, unconfirmed, all_failed, no_time or none_valid", quoted(text)));
}

/// The shape that an entry is about, which `shapes` of the configuration has at the entry's index.
const GemmShape& shape_of(const json::Field& entry, const std::vector<GemmShape>& shapes) {
    const auto last = static_cast<std::int64_t>(shapes.size()) - 1;
    const auto index = static_cast<std::size_t>(entry["shape_index"].integer(0, last));
    const std::string at = fmt::format("shapes[{}]", index);
    require_text(entry["shape"], shape_text(shapes[index]), at);
    require_text(entry["layouts"], layouts_text(shapes[index]), at);
    return shapes[index];
}

GemmCandidate candidate_of(const json::Field& winner) {
    const GemmCandidate candidate = json::parsed(winner["id"], parse_candidate_id);
    const json::Field arithmetic = winner["arithmetic"], bytes = winner["workspace_bytes"];
    const tg_dtype dtype = json::parsed(arithmetic, [](const std::string& text) {
        return parse_dtype(text.substr(0, text.find(' '))); // "f64 sequential two-roundings"
    });
    const std::int64_t needed = json::parsed(
        winner["id"], [&](const std::string&) { return workspace_bytes(candidate, element_size(dtype)); });
    const std::int64_t recorded = bytes.integer(0, std::numeric_limits<std::int64_t>::max());
    if (recorded != needed)
        bytes.fail(fmt::format("{} contradicts the blocks of {}, which need {} bytes in {}", recorded,
                               winner["id"].string(), needed, dtype_text(dtype)));
    return candidate;
}

} // namespace

TunedResults::TunedResults(const std::filesystem::path& path) {
    const GemmTuningConfig config = parse_config(read_file(path.string(), largest_results), path.string());
    const json::value ours = json::object{{"x_tune_gemm", config.extra}};
    const json::Field extra = json::Field(ours, path.string())["x_tune_gemm"];
    if (!config.extra.is_object() || !extra.has("results") || !extra.has("environment"))
        throw_bad_input(fmt::format("{} holds no results; --tuned takes what tune-gemm tune has written.",
                                    path.string()));
    environment_ = parse_environment(extra["environment"]);
    const json::Field results = extra["results"];
    std::map<const GemmShape*, std::size_t> entry_of;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const json::Field entry = results[i], outcome = entry["outcome"];
        const GemmShape& shape = shape_of(entry, config.shapes);
        if (const auto [before, is_new] = entry_of.try_emplace(&shape, i); !is_new)
            entry["shape_index"].fail(
                fmt::format("{} is that of results[{}], too; expected one result for each shape",
                            before->first - config.shapes.data(), before->second));
        if (claims_winner(outcome) != entry.has("winner"))
            outcome.fail(fmt::format("{} is said, and there is {} winner", quoted(outcome.string()),
                                     entry.has("winner") ? "a" : "no"));
        if (entry.has("winner"))
            winners_.push_back({shape, candidate_of(entry["winner"])});
    }
}

std::vector<GemmCandidate> TunedResults::winners(const GemmShape& shape) const {
    std::vector<GemmCandidate> found;
    for (const Winner& winner : winners_)
        if (shape_text(winner.shape) == shape_text(shape) &&
            layouts_text(winner.shape) == layouts_text(shape))
            found.push_back(winner.candidate);
    return found;
}

std::string TunedResults::difference(const GemmEnvironment& here) const {
    std::string text;
    for (const EnvironmentDifference& one : environment_differences(environment_, here))
        if (one.field != "runtime" || !same_runtime(one.left, one.right))
            text += fmt::format("{}{} was {} and is {}", text.empty() ? "" : "; ", one.field,
                                quoted(one.left), quoted(one.right));
    return text;
}

} // namespace tune_gemm::host
