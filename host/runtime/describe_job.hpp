// The first contact with a plugin, as a job of a worker.
#pragma once
#include <tune_gemm/json.hpp>

namespace tune_gemm::host {

/// {"path"} -> plugin_json of what load_plugin gives.
json::value describe_job(const json::Field& request);

} // namespace tune_gemm::host
