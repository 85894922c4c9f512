// What a worker can do: a plain table of named jobs, each a function from a request to an answer.
#pragma once
#include <tune_gemm/json.hpp>

#include <span>
#include <string_view>

namespace tune_gemm::host {

/// Throws Error for a request that cannot be carried out; it is rethrown in the parent.
using JobFunction = json::value (*)(const json::Field& request);

struct Job {
    std::string_view name;
    JobFunction run;
};

/// The worker's main loop: reads requests from `in`, answers on `out`, until end of file. Returns the exit code.
int serve_jobs(std::span<const Job> jobs, int in, int out);

} // namespace tune_gemm::host
