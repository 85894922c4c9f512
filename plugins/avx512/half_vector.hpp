// Registers of half the width of those in vector.hpp, with masks (AVX512VL). For what is no wider: a load or
// store of a whole register costs as much for lanes that are masked out, and twice that where it reaches into
// another line. Include only where the instructions may be used.
#pragma once
#include <cstdint>

#include <immintrin.h>

namespace tune_gemm::avx512 {

struct F64Half {
    using Element = double;
    using Register = __m256d;
    using Mask = __mmask8;
    static constexpr int lanes = 4;
    static constexpr int steps = 4;

    static Mask first(int count) noexcept { return static_cast<Mask>((1u << count) - 1u); }
    static Register zero() noexcept { return _mm256_setzero_pd(); }
    static Register load(const double* from) noexcept { return _mm256_loadu_pd(from); }
    static Register load(const double* from, Mask mask) noexcept {
        __asm__("" : "+Yk"(mask));
        return _mm256_maskz_loadu_pd(mask, from);
    }
    static void store(double* to, Register value) noexcept { _mm256_storeu_pd(to, value); }
    static void store(double* to, Mask mask, Register value) noexcept {
        _mm256_mask_storeu_pd(to, mask, value);
    }
    static Register spread(const double* entry) noexcept { return _mm256_set1_pd(*entry); }
    static Register multiply_add(Register x, Register y, Register sum) noexcept {
        return _mm256_fmadd_pd(x, y, sum);
    }
};

struct F32Half {
    using Element = float;
    using Register = __m256;
    using Mask = __mmask8;
    static constexpr int lanes = 8;
    static constexpr int steps = 4;

    static Mask first(int count) noexcept { return static_cast<Mask>((1u << count) - 1u); }
    static Register zero() noexcept { return _mm256_setzero_ps(); }
    static Register load(const float* from) noexcept { return _mm256_loadu_ps(from); }
    static Register load(const float* from, Mask mask) noexcept {
        __asm__("" : "+Yk"(mask));
        return _mm256_maskz_loadu_ps(mask, from);
    }
    static void store(float* to, Register value) noexcept { _mm256_storeu_ps(to, value); }
    static void store(float* to, Mask mask, Register value) noexcept {
        _mm256_mask_storeu_ps(to, mask, value);
    }
    static Register spread(const float* entry) noexcept { return _mm256_set1_ps(*entry); }
    static Register multiply_add(Register x, Register y, Register sum) noexcept {
        return _mm256_fmadd_ps(x, y, sum);
    }

    /// Entries l to l + 3 of eight rows, as four registers whose lanes are rows.
    static void columns_of(const float* const* rows, std::int64_t l, Register* columns) noexcept {
        const Register r0 = two(rows[0] + l, rows[4] + l), r1 = two(rows[1] + l, rows[5] + l),
                       r2 = two(rows[2] + l, rows[6] + l), r3 = two(rows[3] + l, rows[7] + l);
        const __m256d a = _mm256_castps_pd(_mm256_unpacklo_ps(r0, r1)),
                      b = _mm256_castps_pd(_mm256_unpacklo_ps(r2, r3)),
                      c = _mm256_castps_pd(_mm256_unpackhi_ps(r0, r1)),
                      d = _mm256_castps_pd(_mm256_unpackhi_ps(r2, r3));
        columns[0] = _mm256_castpd_ps(_mm256_unpacklo_pd(a, b));
        columns[1] = _mm256_castpd_ps(_mm256_unpackhi_pd(a, b));
        columns[2] = _mm256_castpd_ps(_mm256_unpacklo_pd(c, d));
        columns[3] = _mm256_castpd_ps(_mm256_unpackhi_pd(c, d));
    }
    static constexpr int row_of_lane(int lane) noexcept { return lane; }

  private:
    static Register two(const float* low, const float* high) noexcept {
        return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1);
    }
};

} // namespace tune_gemm::avx512
