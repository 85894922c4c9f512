// What a worker can do: a plain table of named jobs, each a function from a request to an answer.
#pragma once
#include <tune_gemm/json.hpp>

#include <span>
#include <string_view>

namespace tune_gemm::host {

/// Throws Error for a request that cannot be carried out; it is rethrown in the parent. Any other exception
/// reaches the parent as an Error (failed) with its text.
using JobFunction = json::value (*)(const json::Field& request);

struct Job {
    std::string_view name;
    JobFunction run;
};

/// The worker's main loop: reads requests from `in`, answers on `out`, until end of file. Returns the exit
/// code.
int serve_jobs(std::span<const Job> jobs, int in, int out);

/// main() of a worker's executable: takes the words that spawn_worker gives, sets the limits, serves. Returns
/// the exit code; 2 with a sentence on standard error when it was not started by spawn_worker.
int run_worker(int argc, char** argv, std::span<const Job> jobs);

} // namespace tune_gemm::host
