// How much memory operands may take, so that a request that cannot fit is refused before anything is
// allocated.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace tune_gemm::host {

struct AvailableMemory {
    std::int64_t bytes = 0;
    std::string set_by; ///< what allows no more: "the system's free memory", "the limit on address space
                        ///< (ulimit -v)", ...
};

/// Where to look; other folders in tests.
struct MemorySources {
    std::filesystem::path proc = "/proc";
    std::filesystem::path cgroup = "/sys/fs/cgroup";
};

/// The least of: MemAvailable; what is left of RLIMIT_AS and RLIMIT_DATA; what is left of the memory limit of
/// the control group (v1 and v2) and of those above it. What is not known does not limit.
AvailableMemory available_memory(const MemorySources& = {});

/// Throws Error (bad_input) with both figures when `bytes` for `what` (e.g. "A, B and C of 4096x4096x4096")
/// are more than are available, or negative.
void require_memory(std::int64_t bytes, std::string_view what, const MemorySources& = {});

} // namespace tune_gemm::host
