#include "measure/specification.hpp"

#include <limits>

namespace tune_gemm::host {

json::object specification_json(const JobSpecification& spec) {
    json::object object;
    object["plugin"] = spec.plugin.string();
    object["sha256"] = spec.sha256;
    object["candidate"] = candidate_id(spec.candidate);
    object["shape"] = shape_json(spec.shape);
    object["seed"] = std::to_string(spec.seed);
    object["limit"] = spec.limit;
    if (spec.threads != 1)
        object["threads"] = spec.threads;
    return object;
}

JobSpecification parse_specification(const json::Field& field) {
    JobSpecification spec;
    spec.plugin = field["plugin"].string();
    spec.sha256 = field["sha256"].string();
    spec.candidate = parse_candidate_id(field["candidate"].string());
    spec.shape = parse_shape_json(field["shape"]);
    spec.seed = field["seed"].decimal_u64();
    spec.limit = field["limit"].integer(1, std::numeric_limits<std::int64_t>::max());
    if (field.has("threads"))
        spec.threads = field["threads"].integer(1, 4096);
    return spec;
}

} // namespace tune_gemm::host
