#include "runtime/describe_job.hpp"

#include "runtime/load.hpp"

namespace tune_gemm::host {

json::value describe_job(const json::Field& request) {
    return plugin_json(load_plugin(request["path"].string()));
}

} // namespace tune_gemm::host
