// The answers of the measuring jobs, as they travel between worker and parent.
#pragma once
#include "measure/sampler.hpp"

#include <tune_gemm/json.hpp>
#include <tune_gemm/prepared.hpp>
#include <tune_gemm/validation.hpp>

#include <string>
#include <vector>

namespace tune_gemm::host {

/// One sample with the judgement of what the timed run computed.
struct Sample {
    Batch batch;
    Judgement judgement;
    std::string impossible; ///< why the time cannot be; empty when it can

    double ns() const noexcept { return batch.ns(); }
};

/// What `multiply` answers.
struct Multiplied {
    Resolution resolution;
    Judgement judgement;
    std::vector<Sample> samples; ///< their judgements are of the timed runs
};

json::object judgement_json(const Judgement&);
Judgement parse_judgement(const json::Field&);
/// Times as whole nanoseconds of the batch, with the number of uses: exact, where a quotient would be
/// rounded.
json::object sample_json(const Sample&);
Sample parse_sample(const json::Field&);
/// {"candidate", "arithmetic", "swapped", "packed_a", "packed_b", "staged_c"}
json::object resolution_json(const Resolution&);
Resolution parse_resolution(const json::Field&);
json::object multiplied_json(const Multiplied&);
Multiplied parse_multiplied(const json::Field&);

} // namespace tune_gemm::host
