#include "runtime/cpuid.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#define TUNE_GEMM_HAS_CPUID 1
#else
#define TUNE_GEMM_HAS_CPUID 0
#endif

namespace tune_gemm::host {
namespace {

struct Registers {
    std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

/// All zeros for a leaf that the processor does not have.
Registers cpuid([[maybe_unused]] std::uint32_t leaf, [[maybe_unused]] std::uint32_t subleaf = 0) {
    Registers r;
#if TUNE_GEMM_HAS_CPUID
    if (__get_cpuid_count(leaf, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx) == 0)
        return {};
#endif
    return r;
}

/// The register sets that the system saves and restores (XCR0); 0 when it has not enabled XGETBV.
std::uint64_t enabled_state() {
#if TUNE_GEMM_HAS_CPUID
    constexpr std::uint32_t osxsave = 1u << 27;
    if ((cpuid(1).ecx & osxsave) == 0)
        return 0;
    std::uint32_t low = 0, high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (std::uint64_t{high} << 32) | low;
#else
    return 0;
#endif
}

// Bits of XCR0 (Intel SDM volume 1, section 13.3).
constexpr std::uint64_t no_state = 0;
constexpr std::uint64_t avx_state = 0x6;     // XMM, YMM
constexpr std::uint64_t avx512_state = 0xE6; // and opmask, upper ZMM, ZMM16 to 31
constexpr std::uint64_t amx_state = 0x60000; // TILECFG, TILEDATA

struct Feature {
    std::string_view name;
    std::uint32_t leaf, subleaf;
    std::uint32_t Registers::*reg;
    int bit;
    std::uint64_t state;
};

constexpr std::uint32_t extended = 0x80000001;

// Sorted by name, so that the list of features is too. Intel SDM volume 2, CPUID; AMD APM volume 3, appendix
// E.
constexpr auto features = std::to_array<Feature>({
    {"abm", extended, 0, &Registers::ecx, 5, no_state},
    {"adx", 7, 0, &Registers::ebx, 19, no_state},
    {"aes", 1, 0, &Registers::ecx, 25, no_state},
    {"amx_bf16", 7, 0, &Registers::edx, 22, amx_state},
    {"amx_complex", 7, 1, &Registers::edx, 8, amx_state},
    {"amx_fp16", 7, 1, &Registers::eax, 21, amx_state},
    {"amx_int8", 7, 0, &Registers::edx, 25, amx_state},
    {"amx_tile", 7, 0, &Registers::edx, 24, amx_state},
    {"avx", 1, 0, &Registers::ecx, 28, avx_state},
    {"avx2", 7, 0, &Registers::ebx, 5, avx_state},
    {"avx512_4fmaps", 7, 0, &Registers::edx, 3, avx512_state},
    {"avx512_4vnniw", 7, 0, &Registers::edx, 2, avx512_state},
    {"avx512_bf16", 7, 1, &Registers::eax, 5, avx512_state},
    {"avx512_bitalg", 7, 0, &Registers::ecx, 12, avx512_state},
    {"avx512_fp16", 7, 0, &Registers::edx, 23, avx512_state},
    {"avx512_vbmi2", 7, 0, &Registers::ecx, 6, avx512_state},
    {"avx512_vnni", 7, 0, &Registers::ecx, 11, avx512_state},
    {"avx512_vp2intersect", 7, 0, &Registers::edx, 8, avx512_state},
    {"avx512_vpopcntdq", 7, 0, &Registers::ecx, 14, avx512_state},
    {"avx512bw", 7, 0, &Registers::ebx, 30, avx512_state},
    {"avx512cd", 7, 0, &Registers::ebx, 28, avx512_state},
    {"avx512dq", 7, 0, &Registers::ebx, 17, avx512_state},
    {"avx512er", 7, 0, &Registers::ebx, 27, avx512_state},
    {"avx512f", 7, 0, &Registers::ebx, 16, avx512_state},
    {"avx512ifma", 7, 0, &Registers::ebx, 21, avx512_state},
    {"avx512pf", 7, 0, &Registers::ebx, 26, avx512_state},
    {"avx512vbmi", 7, 0, &Registers::ecx, 1, avx512_state},
    {"avx512vl", 7, 0, &Registers::ebx, 31, avx512_state},
    {"avx_ifma", 7, 1, &Registers::eax, 23, avx_state},
    {"avx_ne_convert", 7, 1, &Registers::edx, 5, avx_state},
    {"avx_vnni", 7, 1, &Registers::eax, 4, avx_state},
    {"avx_vnni_int16", 7, 1, &Registers::edx, 10, avx_state},
    {"avx_vnni_int8", 7, 1, &Registers::edx, 4, avx_state},
    {"bmi1", 7, 0, &Registers::ebx, 3, no_state},
    {"bmi2", 7, 0, &Registers::ebx, 8, no_state},
    {"clflushopt", 7, 0, &Registers::ebx, 23, no_state},
    {"clwb", 7, 0, &Registers::ebx, 24, no_state},
    {"cmov", 1, 0, &Registers::edx, 15, no_state},
    {"cx16", 1, 0, &Registers::ecx, 13, no_state},
    {"erms", 7, 0, &Registers::ebx, 9, no_state},
    {"f16c", 1, 0, &Registers::ecx, 29, avx_state},
    {"fma", 1, 0, &Registers::ecx, 12, avx_state},
    {"fma4", extended, 0, &Registers::ecx, 16, avx_state},
    {"fsrm", 7, 0, &Registers::edx, 4, no_state},
    {"gfni", 7, 0, &Registers::ecx, 8, no_state},
    {"misalignsse", extended, 0, &Registers::ecx, 7, no_state},
    {"movbe", 1, 0, &Registers::ecx, 22, no_state},
    {"movdir64b", 7, 0, &Registers::ecx, 28, no_state},
    {"movdiri", 7, 0, &Registers::ecx, 27, no_state},
    {"pclmulqdq", 1, 0, &Registers::ecx, 1, no_state},
    {"pni", 1, 0, &Registers::ecx, 0, no_state},
    {"popcnt", 1, 0, &Registers::ecx, 23, no_state},
    {"rdrand", 1, 0, &Registers::ecx, 30, no_state},
    {"sha_ni", 7, 0, &Registers::ebx, 29, no_state},
    {"sse", 1, 0, &Registers::edx, 25, no_state},
    {"sse2", 1, 0, &Registers::edx, 26, no_state},
    {"sse4_1", 1, 0, &Registers::ecx, 19, no_state},
    {"sse4_2", 1, 0, &Registers::ecx, 20, no_state},
    {"sse4a", extended, 0, &Registers::ecx, 6, no_state},
    {"ssse3", 1, 0, &Registers::ecx, 9, no_state},
    {"vaes", 7, 0, &Registers::ecx, 9, avx_state},
    {"vpclmulqdq", 7, 0, &Registers::ecx, 10, avx_state},
    {"xop", extended, 0, &Registers::ecx, 11, avx_state},
});
static_assert(std::ranges::is_sorted(features, {}, &Feature::name));

/// Leaf 4 of Intel, 0x8000001D of AMD: one subleaf a cache, the same format.
std::vector<Cache> read_cache_leaf(std::uint32_t leaf) {
    std::vector<Cache> caches;
    for (std::uint32_t subleaf = 0; subleaf < 16; ++subleaf) {
        const Registers r = cpuid(leaf, subleaf);
        const std::uint32_t type = r.eax & 0x1F;
        if (type == 0 || type > 3)
            break;
        Cache cache;
        cache.level = static_cast<int>((r.eax >> 5) & 0x7);
        cache.kind = type == 1   ? Cache::Kind::data
                     : type == 2 ? Cache::Kind::instruction
                                 : Cache::Kind::unified;
        cache.line_bytes = static_cast<int>((r.ebx & 0xFFF) + 1);
        cache.ways = static_cast<int>((r.ebx >> 22) + 1);
        const std::int64_t partitions = ((r.ebx >> 12) & 0x3FF) + 1;
        cache.bytes = partitions * cache.ways * cache.line_bytes * (std::int64_t{r.ecx} + 1);
        caches.push_back(cache);
    }
    return caches;
}

/// AMD's older leaves. Their third level is left out: it is the sum of a whole package, which no core can
/// use.
std::vector<Cache> read_amd_cache_leaves() {
    std::vector<Cache> caches;
    const auto add = [&](int level, Cache::Kind kind, std::uint32_t kibibytes, std::uint32_t line) {
        if (kibibytes != 0)
            caches.push_back({level, kind, std::int64_t{kibibytes} * 1024, 0, static_cast<int>(line), 0});
    };
    const Registers first = cpuid(0x80000005);
    add(1, Cache::Kind::data, first.ecx >> 24, first.ecx & 0xFF);
    add(1, Cache::Kind::instruction, first.edx >> 24, first.edx & 0xFF);
    const Registers second = cpuid(0x80000006);
    add(2, Cache::Kind::unified, second.ecx >> 16, second.ecx & 0xFF);
    return caches;
}

} // namespace

bool has_cpuid() noexcept {
    return TUNE_GEMM_HAS_CPUID != 0 && cpuid(0).eax != 0;
}

void read_cpuid_identity(CpuInfo& info) {
    const auto append = [](std::string& text, std::uint32_t reg) {
        std::array<char, sizeof reg> bytes{};
        std::memcpy(bytes.data(), &reg, sizeof reg);
        text.append(bytes.data(), bytes.size());
    };
    const Registers vendor = cpuid(0);
    for (const std::uint32_t reg : {vendor.ebx, vendor.edx, vendor.ecx})
        append(info.vendor, reg);

    const std::uint32_t signature = cpuid(1).eax;
    const int family = static_cast<int>((signature >> 8) & 0xF);
    info.stepping = static_cast<int>(signature & 0xF);
    info.family = family == 0xF ? family + static_cast<int>((signature >> 20) & 0xFF) : family;
    info.model = static_cast<int>((signature >> 4) & 0xF);
    if (family == 0x6 || family == 0xF)
        info.model += static_cast<int>((signature >> 16) & 0xF) << 4;

    if (cpuid(0x80000000).eax >= 0x80000004) {
        for (std::uint32_t leaf = 0x80000002; leaf <= 0x80000004; ++leaf) {
            const Registers r = cpuid(leaf);
            for (const std::uint32_t reg : {r.eax, r.ebx, r.ecx, r.edx})
                append(info.brand, reg);
        }
        info.brand.resize(std::strlen(info.brand.c_str()));
        info.brand.erase(0, info.brand.find_first_not_of(' '));
        info.brand.erase(info.brand.find_last_not_of(' ') + 1);
    }
}

std::vector<std::string> read_cpuid_features() {
    std::vector<std::string> found;
    const std::uint64_t enabled = enabled_state();
    for (const Feature& feature : features) {
        // A subleaf past the last one is not zero everywhere: leaf 7 says in eax how many it has.
        if (feature.subleaf > 0 && cpuid(feature.leaf).eax < feature.subleaf)
            continue;
        const bool present = ((cpuid(feature.leaf, feature.subleaf).*feature.reg >> feature.bit) & 1) != 0;
        if (present && (enabled & feature.state) == feature.state)
            found.emplace_back(feature.name);
    }
    return found;
}

std::vector<std::string> cpuid_feature_names() {
    std::vector<std::string> names;
    for (const Feature& feature : features)
        names.emplace_back(feature.name);
    return names;
}

void read_cpuid_caches(CpuInfo& info) {
    for (const std::uint32_t leaf : {0x8000001Du, 4u}) {
        info.caches = read_cache_leaf(leaf);
        if (!info.caches.empty()) {
            info.caches_source = "cpuid";
            info.last_level_known = true;
            return;
        }
    }
    info.caches = read_amd_cache_leaves();
    if (!info.caches.empty())
        info.caches_source = "cpuid, without the last level";
}

} // namespace tune_gemm::host
