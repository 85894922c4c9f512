// One tile of tune-gemm profile: judged and timed in a worker of its own.
#pragma once
#include "cli/options.hpp"
#include "measure/specification.hpp"
#include "profile/profile.hpp"
#include "report/progress.hpp"

#include <cstdint>
#include <string>

namespace tune_gemm::host {

struct ProfileOptions {
    PluginOptions plugins;
    std::string what, kernel, tile, shape = "256x256x256", layouts;
    std::int64_t workspace_limit = tune_gemm::default_workspace_limit;
    std::uint64_t seed = 42;
    double seconds = 1;
    std::int64_t threads = 1;
    bool assembly = false, json = false;
};

/// Throws Error (failed) when the kernel is wrong or does not live through it, with the command that repeats
/// that; Error (interrupted) after Ctrl-C. `activity`: for the progress line.
Profile profile_tile(const ProfileOptions&, const KernelInfo&, const JobSpecification&, Progress&,
                     const std::string& activity);

} // namespace tune_gemm::host
