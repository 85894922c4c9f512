// What the CPUID instruction of x86 tells. On other architectures everything is empty.
#pragma once
#include "runtime/cpu.hpp"

#include <string>
#include <vector>

namespace tune_gemm::host {

/// False where there is no CPUID.
bool has_cpuid() noexcept;
/// Vendor, brand, family, model, stepping.
void read_cpuid_identity(CpuInfo&);
/// Features that the processor has and the system has enabled.
std::vector<std::string> read_cpuid_features();
/// All that can be looked for.
std::vector<std::string> cpuid_feature_names();
/// Caches as CPUID describes them, for systems (virtual machines) whose sysfs does not: caches, caches_source
/// and last_level_known.
void read_cpuid_caches(CpuInfo&);

} // namespace tune_gemm::host
