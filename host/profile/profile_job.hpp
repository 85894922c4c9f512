// The job of a worker that profiles a candidate.
#pragma once
#include <tune_gemm/json.hpp>

namespace tune_gemm::host {

/// A specification (specification.hpp) and {"seconds"}: one product is judged, then the peak of fused
/// multiply-adds, the tile alone, the product and the product with parts left out are timed in turn
/// (profile_json). Of a kernel with blocking of its own, peak and product.
json::value profile_job(const json::Field& request);

} // namespace tune_gemm::host
