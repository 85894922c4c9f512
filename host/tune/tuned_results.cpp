#include "tune/tuned_results.hpp"

#include "store/text_file.hpp"

#include <tune_gemm/config.hpp>
#include <tune_gemm/error.hpp>

#include <fmt/format.h>

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

} // namespace

TunedResults::TunedResults(const std::filesystem::path& path) {
    const GemmTuningConfig config = parse_config(read_file(path.string(), largest_results), path.string());
    const json::Field extra(config.extra, path.string() + ": x_tune_gemm");
    if (!config.extra.is_object() || !extra.has("results") || !extra.has("environment"))
        throw_bad_input(fmt::format("{} holds no results; --tuned takes what tune-gemm tune has written.",
                                    path.string()));
    environment_ = parse_environment(extra["environment"]);
    const json::Field results = extra["results"];
    for (std::size_t i = results.size(); i-- > 0;) {
        if (!results[i].has("winner"))
            continue;
        Winner winner{parse_shape(results[i]["shape"].string()),
                      parse_candidate_id(results[i]["winner"]["id"].string())};
        parse_layouts(results[i]["layouts"].string(), winner.shape);
        winners_.push_back(std::move(winner));
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
            text += fmt::format("{}{} was \"{}\" and is \"{}\"", text.empty() ? "" : "; ", one.field,
                                one.left, one.right);
    return text;
}

} // namespace tune_gemm::host
