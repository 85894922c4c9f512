#include "conformance/poison.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tune_gemm::host {
namespace {

/// As f64 and as two f32: a signalling NaN in the upper half and either in the lower one; and about 2^100 in
/// both.
constexpr std::array<std::uint64_t, 2> patterns{0x7FF4DEAD7FA0DEADu, 0x4630000071800000u};

#if defined(__x86_64__)
bool have_avx() noexcept {
    static const bool known = __builtin_cpu_supports("avx") != 0;
    return known;
}
#endif

} // namespace

int poison_width(const std::vector<std::string>& cpu) noexcept {
    const bool wide = std::any_of(cpu.begin(), cpu.end(),
                                  [](const std::string& feature) { return feature.starts_with("avx"); });
    return wide ? 0 : xmm_only;
}

void poison_registers([[maybe_unused]] int pattern) noexcept {
#if defined(__x86_64__)
    // Nothing but the return lies between this and the call of the kernel that would need these registers.
    const std::uint64_t* source = &patterns[static_cast<std::size_t>(pattern % xmm_only)];
    if (have_avx() && pattern < xmm_only) {
        asm volatile("vbroadcastsd (%0), %%ymm0\n\tvmovapd %%ymm0, %%ymm1\n\tvmovapd %%ymm0, %%ymm2\n\t"
                     "vmovapd %%ymm0, %%ymm3\n\tvmovapd %%ymm0, %%ymm4\n\tvmovapd %%ymm0, %%ymm5\n\t"
                     "vmovapd %%ymm0, %%ymm6\n\tvmovapd %%ymm0, %%ymm7\n\tvmovapd %%ymm0, %%ymm8\n\t"
                     "vmovapd %%ymm0, %%ymm9\n\tvmovapd %%ymm0, %%ymm10\n\tvmovapd %%ymm0, %%ymm11\n\t"
                     "vmovapd %%ymm0, %%ymm12\n\tvmovapd %%ymm0, %%ymm13\n\tvmovapd %%ymm0, %%ymm14\n\t"
                     "vmovapd %%ymm0, %%ymm15\n\t"
                     :
                     : "r"(source)
                     : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                       "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory");
    } else {
        settle_registers();
        asm volatile("movsd (%0), %%xmm0\n\tunpcklpd %%xmm0, %%xmm0\n\tmovapd %%xmm0, %%xmm1\n\t"
                     "movapd %%xmm0, %%xmm2\n\tmovapd %%xmm0, %%xmm3\n\tmovapd %%xmm0, %%xmm4\n\t"
                     "movapd %%xmm0, %%xmm5\n\tmovapd %%xmm0, %%xmm6\n\tmovapd %%xmm0, %%xmm7\n\t"
                     "movapd %%xmm0, %%xmm8\n\tmovapd %%xmm0, %%xmm9\n\tmovapd %%xmm0, %%xmm10\n\t"
                     "movapd %%xmm0, %%xmm11\n\tmovapd %%xmm0, %%xmm12\n\tmovapd %%xmm0, %%xmm13\n\t"
                     "movapd %%xmm0, %%xmm14\n\tmovapd %%xmm0, %%xmm15\n\t"
                     :
                     : "r"(source)
                     : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                       "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory");
    }
#endif
}

void settle_registers() noexcept {
#if defined(__x86_64__)
    if (have_avx())
        asm volatile("vzeroupper" ::: "memory");
#endif
}

[[gnu::noinline]] void poison_stack(int pattern) noexcept {
    std::array<volatile std::uint64_t, 1024> below;
    for (auto& word : below)
        word = patterns[static_cast<std::size_t>(pattern)];
}

template <class T>
const T* large_numbers(std::int64_t count) {
    static std::vector<T> numbers;
    while (static_cast<std::int64_t>(numbers.size()) < count)
        numbers.push_back(T(0x1p100) + T(0x1p90) * static_cast<T>(numbers.size() % 64));
    return numbers.data();
}

template const float* large_numbers<float>(std::int64_t);
template const double* large_numbers<double>(std::int64_t);

} // namespace tune_gemm::host
