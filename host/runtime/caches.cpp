#include "runtime/caches.hpp"

#include "report/units.hpp"
#include "runtime/environment_record.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tune_gemm::host {

CacheSizes cache_sizes(const CpuInfo& cpu) {
    CacheSizes sizes;
    for (const Cache& cache : cpu.caches) {
        if (cache.kind == Cache::Kind::instruction || cache.level < 1 || cache.level > 3)
            continue;
        const std::int64_t sharing = std::clamp(std::min(cache.shared_by, allowed_processors()), 1, 1 << 16);
        CacheLevel& level = cache.level == 1 ? sizes.l1 : cache.level == 2 ? sizes.l2 : sizes.l3;
        level = {cache.bytes / sharing, cache.ways};
    }
    return sizes;
}

std::string model_caches_text(const CacheSizes& known) {
    const CacheSizes used = plausible_caches(known);
    const auto text = [](const char* name, const CacheLevel& k, const CacheLevel& u) {
        return fmt::format("{} {}{}", name, bytes_text(u.bytes),
                           k.bytes <= 0         ? " (assumed)"
                           : k.bytes != u.bytes ? " (bounded)"
                                                : "");
    };
    return fmt::format("{}, {}, {}", text("L1", known.l1, used.l1), text("L2", known.l2, used.l2),
                       text("L3", known.l3, used.l3));
}

} // namespace tune_gemm::host
