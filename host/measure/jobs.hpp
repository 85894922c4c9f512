// The jobs of a worker that run a candidate on operands made from seeds.
#pragma once
#include <tune_gemm/json.hpp>

namespace tune_gemm::host {

/// One product of a specification (specification.hpp), judged: {"resolution", "judgement"}. Throws Error when
/// the candidate is not valid for the shape.
json::value validate_job(const json::Field& request);
/// A specification and {"min_ns"}: one timed batch (sample_json), whose output is judged. Optional members:
/// "uses" from an earlier sample of the same; "cold", to use copies of A and B in turn that fill twice the
/// last-level cache, in a scope that is timed on warm buffers otherwise; "spot_entries", to judge so many
/// entries only, where the product was validated before.
json::value sample_job(const json::Field& request);
/// A specification and {"alpha", "beta", "samples", "min_ns"}: C := alpha*A*B + beta*C once, judged, then so
/// many samples (0 or more) of it (multiplied_json).
json::value multiply_job(const json::Field& request);

} // namespace tune_gemm::host
