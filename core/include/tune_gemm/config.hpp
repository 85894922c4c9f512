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
    bool operator==(const GemmTuningConfig&) const = default;
};

/// The largest number of samples that a configuration may ask for.
inline constexpr std::int64_t max_samples = 1'000'000;

/// Canonical: the same configuration gives the same bytes, which any reader of mmkts_1 takes.
std::string config_json(const GemmTuningConfig&);
/// Strict: throws Error (bad_input) with `what` and the path of the offending field for another schema
/// version, an unknown enum text, a number that is not an integer or out of range, an id that contradicts its
/// fields, a missing, duplicate or unknown key, products that overflow. Empty lists are allowed here; whether
/// there is something to do is the caller's matter.
GemmTuningConfig parse_config(std::string_view text, std::string_view what);

/// The same without the text, for a configuration inside another document.
json::object config_object(const GemmTuningConfig&);
GemmTuningConfig parse_config_object(const json::Field&);

/// {"m","n","k","batch","reuse_count","layout_a","layout_b","layout_c"}. The parser wants positive integers
/// and products that fit 64 bits.
json::object shape_json(const GemmShape&);
GemmShape parse_shape_json(const json::Field&);
/// {"id","mc","nc","kc","mr","nr","packing","loop_order","microkernel","allocation","timing_scope"}. The
/// parser wants an id that agrees with the fields; whether the candidate can run is valid_candidate's matter.
json::object candidate_json(const GemmCandidate&);
GemmCandidate parse_candidate_json(const json::Field&);

} // namespace tune_gemm
