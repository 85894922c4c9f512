// The tuning configuration, everything that a repeat needs, in the schema mmkts_1.
#pragma once
#include <tune_gemm/candidate.hpp>
#include <tune_gemm/catalogue.hpp>
#include <tune_gemm/json.hpp>
#include <tune_gemm/shape.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tune_gemm {

struct GemmTuningConfig {
    std::uint64_t seed = 42;
    std::vector<GemmShape> shapes;
    std::vector<GemmCandidate> candidates;
    std::uint64_t max_workspace_bytes = 16u << 20;
    std::int64_t exploration_samples = 1;
    std::int64_t confirmation_samples = 12;
    /// Ours, under "x_tune_gemm"; an object, or null when there is none. Kept as it was read.
    json::value extra;
};

/// Canonical: the same configuration gives the same bytes, which any reader of mmkts_1 takes.
std::string config_json(const GemmTuningConfig&);
/// Strict: throws Error (bad_input) with `what` and the path of the offending field for another schema version, an unknown
/// enum text, a number that is not an integer or out of range, an id that contradicts its fields, a missing, duplicate or
/// unknown key, products that overflow. Empty lists are allowed here; whether there is something to do is the
/// caller's matter.
GemmTuningConfig parse_config(std::string_view text, std::string_view what);

} // namespace tune_gemm
