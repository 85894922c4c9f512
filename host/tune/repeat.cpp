#include "tune/repeat.hpp"

#include <fmt/format.h>

namespace tune_gemm::host {

std::string repeat_command(const GemmCandidate& candidate, const GemmShape& shape, std::uint64_t seed,
                           std::int64_t limit, std::string_view plugin_words) {
    std::string command = "tune-gemm run --shape " + shape_text(shape);
    if (const std::string layouts = layouts_text(shape); layouts != "rrr")
        command += " --layouts " + layouts;
    command += fmt::format(" --candidate {} --seed {}", candidate_id(candidate), seed);
    if (limit != default_workspace_limit)
        command += fmt::format(" --workspace-limit {}", limit);
    return command.append(plugin_words);
}

} // namespace tune_gemm::host
