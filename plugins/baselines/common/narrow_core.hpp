// Libraries choose their kernels by the processor's model, and one that is newer than they are may get those
// of a processor of long ago.
#pragma once
#include <tune_gemm/abi.h>

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <string_view>

namespace tune_gemm::baselines {

/// A library built for one core alone names it in capitals.
inline bool same_core(std::string_view a, std::string_view b) noexcept {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [lower](char x, char y) { return lower(x) == lower(y); });
}

/// What this processor has that kernels for such a core do not use: "AVX-512", "AVX2", or nothing.
inline const char* unused_by(std::string_view core, std::initializer_list<std::string_view> with_avx512,
                             std::initializer_list<std::string_view> with_avx2) noexcept {
    const auto among = [core](const auto& cores) {
        return std::any_of(cores.begin(), cores.end(),
                           [core](std::string_view other) { return same_core(core, other); });
    };
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && !among(with_avx512))
        return "AVX-512";
    if (__builtin_cpu_supports("avx2") && !among(with_avx512) && !among(with_avx2))
        return "AVX2";
#endif
    return nullptr;
}

/// Logs the library with the core whose kernels it chose, and where those leave `unused` idle a warning with
/// the variable that chooses others.
inline void log_core(const tg_host* host, const char* library, const char* core, const char* unused,
                     const char* mend) noexcept {
    if (host == nullptr || host->log == nullptr)
        return;
    char line[380];
    std::snprintf(line, sizeof line, "%.200s; kernels for %.50s", library, core);
    host->log(line);
    if (unused == nullptr)
        return;
    std::snprintf(line, sizeof line,
                  "warning: it computes with kernels for %.50s, which do not use the %s of this processor: "
                  "perhaps it does not know the model. Set %s before comparing.",
                  core, unused, mend);
    host->log(line);
}

/// The same of OpenBLAS.
inline void log_openblas_core(const tg_host* host, const char* library, const char* core) noexcept {
    const char* const unused =
        unused_by(core, {"SkylakeX", "Cooperlake", "Sapphirerapids"}, {"Haswell", "Zen", "Excavator"});
    log_core(host, library, core, unused,
             unused != nullptr && std::string_view(unused) == "AVX-512" ? "OPENBLAS_CORETYPE=SkylakeX"
                                                                        : "OPENBLAS_CORETYPE=Haswell");
}

} // namespace tune_gemm::baselines
