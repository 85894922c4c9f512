#include "measure/fma_peak.hpp"

#include <algorithm>

namespace tune_gemm::host {
namespace {

#if defined(__x86_64__)
// The sums start at 0 and grow by 1 a step, so no number is slow. The units take as long for f32 as for f64.

void avx512(std::int64_t repeats) noexcept {
    const double one = 1;
    __asm__ volatile(R"(
        vbroadcastsd %1, %%zmm30
        .irp sum, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23
        vpxorq %%zmm\sum, %%zmm\sum, %%zmm\sum
        .endr
        .p2align 5
        1:
        .irp sum, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23
        vfmadd231pd %%zmm30, %%zmm30, %%zmm\sum
        .endr
        dec %0
        jnz 1b
        vzeroupper)"
                     : "+r"(repeats)
                     : "m"(one)
                     : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                       "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

void avx2(std::int64_t repeats) noexcept {
    const double one = 1;
    __asm__ volatile(R"(
        vbroadcastsd %1, %%ymm14
        .irp sum, 0,1,2,3,4,5,6,7,8,9,10,11
        vpxor %%ymm\sum, %%ymm\sum, %%ymm\sum
        .endr
        .p2align 5
        1:
        .irp sum, 0,1,2,3,4,5,6,7,8,9,10,11
        vfmadd231pd %%ymm14, %%ymm14, %%ymm\sum
        .endr
        dec %0
        jnz 1b
        vzeroupper)"
                     : "+r"(repeats)
                     : "m"(one)
                     : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                       "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

#endif

} // namespace

FmaLoop fma_loop(tg_dtype type, const std::vector<std::string>& features) {
    [[maybe_unused]] const auto has = [&](const char* feature) {
        return std::find(features.begin(), features.end(), feature) != features.end();
    };
    [[maybe_unused]] const bool f32 = type == TG_F32;
#if defined(__x86_64__)
    constexpr double flop = 2;
    if (has("avx512f"))
        return {"AVX-512", avx512, flop * 24 * (f32 ? 16 : 8)};
    if (has("avx2") && has("fma"))
        return {"AVX2", avx2, flop * 12 * (f32 ? 8 : 4)};
#endif
    return {"none", nullptr, 0};
}

} // namespace tune_gemm::host
