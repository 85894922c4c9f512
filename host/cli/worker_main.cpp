// tune-gemm-worker: the process in which plugins are loaded and kernels run.
#include "conformance/check_job.hpp"
#include "measure/jobs.hpp"
#include "profile/profile_job.hpp"
#include "runtime/describe_job.hpp"
#include "worker/job.hpp"

namespace {

constexpr tune_gemm::host::Job jobs[] = {
    {"describe", tune_gemm::host::describe_job}, {"check", tune_gemm::host::check_job},
    {"validate", tune_gemm::host::validate_job}, {"sample", tune_gemm::host::sample_job},
    {"multiply", tune_gemm::host::multiply_job}, {"profile", tune_gemm::host::profile_job},
};

} // namespace

int main(int argc, char** argv) {
    return tune_gemm::host::run_worker(argc, argv, jobs);
}
