// The processor: what it is, which features can really be used, and its caches.
#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tune_gemm::host {

struct Cache {
    enum class Kind : std::uint8_t { data, instruction, unified };
    int level = 0;
    Kind kind = Kind::unified;
    std::int64_t bytes = 0;
    int ways = 0;       ///< 0: not known
    int line_bytes = 0; ///< 0: not known
    int shared_by = 0;  ///< logical processors that share it; 0: not known
    bool operator==(const Cache&) const = default;
};
/// "L1d 48 KiB", "L3 32 MiB".
std::string cache_text(const Cache&);

struct CpuInfo {
    std::string vendor, brand; ///< empty: not known
    int family = 0, model = 0, stepping = 0;
    /// Names as in /proc/cpuinfo of Linux, sorted. On x86: those of which the host knows the CPUID bit, when
    /// the processor has them and the system has enabled the registers that they need (XCR0).
    std::vector<std::string> features;
    std::vector<Cache> caches; ///< by level, data before instruction; empty: not known
    std::string caches_source; ///< "sysfs", "cpuid", "cpuid, without the last level", or empty
    bool last_level_known = false;
};

/// Found out once a process.
const CpuInfo& cpu_info();

/// The names that the host can look for on this architecture.
std::vector<std::string> known_features();
/// Those of `required` that cannot be used here, in their order: "avx512f", or for a name that means nothing
/// to the host "avx9 (not a feature that is known here; did you mean avx?)". Empty: all is there.
std::vector<std::string> missing_features(std::span<const std::string> required, const CpuInfo& = cpu_info());

/// Bytes of the last cache level that holds data, or 0 when it is not known: virtual machines may hide it.
std::int64_t last_level_cache_bytes(const CpuInfo& = cpu_info()) noexcept;

/// Caches as a folder like /sys/devices/system/cpu/cpu0/cache describes them; empty when it does not.
std::vector<Cache> read_sysfs_caches(const std::filesystem::path&);

} // namespace tune_gemm::host
