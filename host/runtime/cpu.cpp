#include "runtime/cpu.hpp"

#include "report/units.hpp"
#include "runtime/cpuid.hpp"
#include "store/text_file.hpp"

#include <tune_gemm/catalogue.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace tune_gemm::host {
namespace {

/// Where there is no CPUID, the kernel's own list: "Features : fp asimd ..." of ARM, "isa : ..." of others.
std::vector<std::string> read_proc_features() {
    std::istringstream lines(read_text_or_empty("/proc/cpuinfo"));
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("Features"))
            continue;
        std::istringstream words(line.substr(std::min(line.find(':') + 1, line.size())));
        std::vector<std::string> features;
        for (std::string word; words >> word;)
            features.push_back(word);
        std::sort(features.begin(), features.end());
        return features;
    }
    return {};
}

/// The number at the start of `text`, and what follows it; 0 when there is none.
std::int64_t leading_number(std::string_view text, std::string_view& rest) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    rest = text.substr(static_cast<std::size_t>(end - text.data()));
    return error == std::errc{} ? number : 0;
}

/// "48K" and the like, in bytes.
std::int64_t parse_size(std::string_view text) {
    std::string_view unit;
    const std::int64_t number = leading_number(text, unit);
    return unit.starts_with('K') ? number << 10 : unit.starts_with('M') ? number << 20 : number;
}

/// How many numbers a list such as "0-3,8" holds.
int count_list(std::string_view list) {
    std::int64_t count = 0;
    while (!list.empty()) {
        std::string_view rest;
        const std::int64_t first = leading_number(list, rest);
        std::int64_t last = first;
        if (rest.starts_with('-'))
            last = leading_number(rest.substr(1), rest);
        count += last - first + 1;
        if (!rest.starts_with(','))
            break;
        list = rest.substr(1);
    }
    return static_cast<int>(count);
}

CpuInfo find_out() {
    CpuInfo info;
    if (has_cpuid()) {
        read_cpuid_identity(info);
        info.features = read_cpuid_features();
    } else {
        info.features = read_proc_features();
    }
    info.caches = read_sysfs_caches("/sys/devices/system/cpu/cpu0/cache");
    if (!info.caches.empty()) {
        info.caches_source = "sysfs";
        info.last_level_known = true;
    } else if (has_cpuid()) {
        read_cpuid_caches(info);
    }
    return info;
}

} // namespace

const CpuInfo& cpu_info() {
    static const CpuInfo info = find_out();
    return info;
}

std::string cache_text(const Cache& cache) {
    const char* const kind = cache.kind == Cache::Kind::data          ? "d"
                             : cache.kind == Cache::Kind::instruction ? "i"
                                                                      : "";
    return fmt::format("L{}{} {}", cache.level, kind, bytes_text(cache.bytes));
}

std::vector<std::string> known_features() {
    return has_cpuid() ? cpuid_feature_names() : cpu_info().features;
}

std::vector<std::string> missing_features(std::span<const std::string> required, const CpuInfo& cpu) {
    std::vector<std::string> missing;
    for (const std::string& name : required) {
        if (std::find(cpu.features.begin(), cpu.features.end(), name) != cpu.features.end())
            continue;
        const std::vector<std::string> known = known_features();
        if (std::find(known.begin(), known.end(), name) != known.end()) {
            missing.push_back(name);
            continue;
        }
        const std::string near = nearest_text(name, known);
        missing.push_back(
            near.empty()
                ? fmt::format("{} (not a feature that is known here)", name)
                : fmt::format("{} (not a feature that is known here; did you mean {}?)", name, near));
    }
    return missing;
}

std::int64_t last_level_cache_bytes(const CpuInfo& cpu) noexcept {
    if (!cpu.last_level_known)
        return 0;
    const Cache* last = nullptr;
    for (const Cache& cache : cpu.caches) {
        if (cache.kind != Cache::Kind::instruction && (last == nullptr || cache.level > last->level))
            last = &cache;
    }
    return last == nullptr ? 0 : last->bytes;
}

std::vector<Cache> read_sysfs_caches(const std::filesystem::path& folder) {
    std::vector<Cache> caches;
    for (int index = 0;; ++index) {
        const std::filesystem::path one = folder / fmt::format("index{}", index);
        const auto read = [&](const char* name) { return read_text_or_empty(one / name); };
        std::string_view rest;
        const std::string level = read("level"), type = read("type"), size = read("size");
        const std::string ways = read("ways_of_associativity"), line = read("coherency_line_size");
        Cache cache;
        cache.level = static_cast<int>(leading_number(level, rest));
        cache.bytes = parse_size(size);
        if (cache.level == 0 || cache.bytes == 0)
            break;
        cache.kind = type.starts_with("Data")          ? Cache::Kind::data
                     : type.starts_with("Instruction") ? Cache::Kind::instruction
                                                       : Cache::Kind::unified;
        cache.ways = static_cast<int>(leading_number(ways, rest));
        cache.line_bytes = static_cast<int>(leading_number(line, rest));
        cache.shared_by = count_list(read("shared_cpu_list"));
        caches.push_back(cache);
    }
    std::stable_sort(caches.begin(), caches.end(), [](const Cache& x, const Cache& y) {
        return std::pair(x.level, x.kind) < std::pair(y.level, y.kind);
    });
    return caches;
}

} // namespace tune_gemm::host
