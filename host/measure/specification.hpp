// What a worker's job is about: one candidate of one plugin at one shape. Made in the parent, read in the
// worker.
#pragma once
#include <tune_gemm/candidate.hpp>
#include <tune_gemm/config.hpp>
#include <tune_gemm/json.hpp>
#include <tune_gemm/shape.hpp>

#include <cstdint>
#include <filesystem>
#include <string>

namespace tune_gemm::host {

struct JobSpecification {
    std::filesystem::path plugin;
    std::string sha256;      ///< of the plugin's file; the worker refuses another
    GemmCandidate candidate; ///< its kernel named, never `auto`
    GemmShape shape;
    std::uint64_t seed =
        42; ///< A is made from it, B from seed + batch, C (where beta is not 0) from seed + 2*batch
    std::int64_t limit = default_workspace_limit; ///< bytes of workspace
    std::int64_t threads = 1;                     ///< that one product may use
};

/// {"plugin", "sha256", "candidate", "shape", "seed", "limit", "threads"}, the last only when it is not 1; a
/// job may add members of its own.
json::object specification_json(const JobSpecification&);
/// Throws Error naming the member at fault.
JobSpecification parse_specification(const json::Field&);

} // namespace tune_gemm::host
