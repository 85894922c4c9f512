#include "fused_sums.hpp"

namespace tune_gemm {
namespace {

// Builtins, since a function of the C++ library would not be inlined into one for another target.
[[gnu::always_inline]] inline double fused(double x, double y, double sum) noexcept {
    return __builtin_fma(x, y, sum);
}
[[gnu::always_inline]] inline float fused(float x, float y, float sum) noexcept {
    return __builtin_fmaf(x, y, sum);
}

template <class T>
[[gnu::always_inline]] inline void add_row(T x, const T* __restrict row, T* __restrict sums,
                                           std::int64_t n) noexcept {
    // A fixed number of sums at a time, so that a compiler takes them as vectors without being asked to.
    constexpr std::int64_t chunk = 16;
    std::int64_t j = 0;
    for (; j + chunk <= n; j += chunk)
        for (std::int64_t lane = 0; lane < chunk; ++lane)
            sums[j + lane] = fused(x, row[j + lane], sums[j + lane]);
    for (; j < n; ++j)
        sums[j] = fused(x, row[j], sums[j]);
}

template <class T>
[[gnu::always_inline]] inline T dot(const T* a, std::int64_t step_a, const T* b, std::int64_t step_b,
                                    std::int64_t k) noexcept {
    T sum = 0;
    for (std::int64_t l = 0; l < k; ++l)
        sum = fused(a[l * step_a], b[l * step_b], sum);
    return sum;
}

template <class T>
void add_row_portable(T x, const T* row, T* sums, std::int64_t n) noexcept {
    add_row(x, row, sums, n);
}
template <class T>
T dot_portable(const T* a, std::int64_t step_a, const T* b, std::int64_t step_b, std::int64_t k) noexcept {
    return dot(a, step_a, b, step_b, k);
}

#if defined(__x86_64__)

template <class T>
[[gnu::target("avx,fma")]] void add_row_fma(T x, const T* row, T* sums, std::int64_t n) noexcept {
    add_row(x, row, sums, n);
}
template <class T>
[[gnu::target("avx,fma")]] T dot_fma(const T* a, std::int64_t step_a, const T* b, std::int64_t step_b,
                                     std::int64_t k) noexcept {
    return dot(a, step_a, b, step_b, k);
}

#endif

} // namespace

template <class T>
const FusedSums<T>& fused_sums_portable() noexcept {
    static constexpr FusedSums<T> sums{add_row_portable<T>, dot_portable<T>};
    return sums;
}

template <class T>
const FusedSums<T>* fused_sums_by_instruction() noexcept {
#if defined(__x86_64__)
    // Also sees whether the system has enabled the registers that the instructions need.
    static const bool here = __builtin_cpu_supports("avx") != 0 && __builtin_cpu_supports("fma") != 0;
    static constexpr FusedSums<T> sums{add_row_fma<T>, dot_fma<T>};
    return here ? &sums : nullptr;
#else
    return nullptr;
#endif
}

template <class T>
const FusedSums<T>& fused_sums() noexcept {
    const FusedSums<T>* by_instruction = fused_sums_by_instruction<T>();
    return by_instruction != nullptr ? *by_instruction : fused_sums_portable<T>();
}

template const FusedSums<double>& fused_sums_portable<double>() noexcept;
template const FusedSums<float>& fused_sums_portable<float>() noexcept;
template const FusedSums<double>* fused_sums_by_instruction<double>() noexcept;
template const FusedSums<float>* fused_sums_by_instruction<float>() noexcept;
template const FusedSums<double>& fused_sums<double>() noexcept;
template const FusedSums<float>& fused_sums<float>() noexcept;

} // namespace tune_gemm
