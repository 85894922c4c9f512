#include "tuned.hpp"

#include "store/text_file.hpp"

#include <tune_gemm/config.hpp>
#include <tune_gemm/error.hpp>

#include <fmt/format.h>

namespace tune_gemm::bench {
namespace {

constexpr std::int64_t largest_file = std::int64_t{64} << 20;

std::string key_of(const GemmShape& shape, const std::string& kernel_id) {
    return fmt::format("{} {} {}", shape_text(shape), layouts_text(shape), kernel_id);
}

} // namespace

TunedCandidates::TunedCandidates(const std::filesystem::path& path) {
    const GemmTuningConfig config = parse_config(host::read_file(path.string(), largest_file), path.string());
    const json::Field extra(config.extra, path.string() + ": x_tune_gemm");
    if (!config.extra.is_object() || !extra.has("results") || !extra.has("environment"))
        throw_bad_input(fmt::format("{} holds no results; --tuned takes what tune-gemm tune has written.",
                                    path.string()));
    environment_ = parse_environment(extra["environment"]);
    const json::Field results = extra["results"];
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!results[i].has("winner"))
            continue;
        GemmShape shape = parse_shape(results[i]["shape"].string());
        parse_layouts(results[i]["layouts"].string(), shape);
        const GemmCandidate winner = parse_candidate_id(results[i]["winner"]["id"].string());
        winners_.insert_or_assign(key_of(shape, winner.microkernel_id), winner);
    }
}

std::optional<GemmCandidate> TunedCandidates::find(const GemmShape& shape,
                                                   const std::string& kernel_id) const {
    const auto found = winners_.find(key_of(shape, kernel_id));
    return found == winners_.end() ? std::nullopt : std::optional(found->second);
}

std::string TunedCandidates::difference(const GemmEnvironment& here) const {
    std::string text;
    for (const EnvironmentDifference& one : environment_differences(environment_, here))
        text += fmt::format("{}{} was \"{}\" and is \"{}\"", text.empty() ? "" : "; ", one.field, one.left,
                            one.right);
    return text;
}

} // namespace tune_gemm::bench
