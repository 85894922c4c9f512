// The caches of this processor as core's model of them takes them.
#pragma once
#include "runtime/cpu.hpp"

#include <tune_gemm/cache_model.hpp>

#include <string>

namespace tune_gemm::host {

/// Data and unified caches of levels 1 to 3; of one that several processors share, what falls to each of
/// those that this process may run on. What is not known stays 0.
CacheSizes cache_sizes(const CpuInfo& = cpu_info());

/// "L1d 48 KiB, L2 1 MiB, L3 4 MiB (assumed)": what the model goes by here.
std::string model_caches_text(const CacheSizes&);

} // namespace tune_gemm::host
