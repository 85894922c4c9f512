// The registers of AVX-512. Include only where the instructions may be used.
#pragma once
#include <immintrin.h>

namespace tune_gemm::avx512 {

struct F64 {
    using Element = double;
    using Register = __m512d;
    using Mask = __mmask8;
    static constexpr int lanes = 8;

    /// The first `count` lanes, 0 <= count <= lanes.
    static Mask first(int count) noexcept { return static_cast<Mask>((1u << count) - 1u); }
    static Register zero() noexcept { return _mm512_setzero_pd(); }
    static Register load(const double* from) noexcept { return _mm512_loadu_pd(from); }
    /// Lanes outside the mask are zero, and their memory is not touched.
    static Register load(const double* from, Mask mask) noexcept { return _mm512_maskz_loadu_pd(mask, from); }
    static void store(double* to, Register value) noexcept { _mm512_storeu_pd(to, value); }
    static void store(double* to, Mask mask, Register value) noexcept {
        _mm512_mask_storeu_pd(to, mask, value);
    }
    static Register spread(const double* entry) noexcept { return _mm512_set1_pd(*entry); }
    static Register multiply_add(Register x, Register y, Register sum) noexcept {
        return _mm512_fmadd_pd(x, y, sum);
    }
};

struct F32 {
    using Element = float;
    using Register = __m512;
    using Mask = __mmask16;
    static constexpr int lanes = 16;

    static Mask first(int count) noexcept { return static_cast<Mask>((1u << count) - 1u); }
    static Register zero() noexcept { return _mm512_setzero_ps(); }
    static Register load(const float* from) noexcept { return _mm512_loadu_ps(from); }
    static Register load(const float* from, Mask mask) noexcept { return _mm512_maskz_loadu_ps(mask, from); }
    static void store(float* to, Register value) noexcept { _mm512_storeu_ps(to, value); }
    static void store(float* to, Mask mask, Register value) noexcept {
        _mm512_mask_storeu_ps(to, mask, value);
    }
    static Register spread(const float* entry) noexcept { return _mm512_set1_ps(*entry); }
    static Register multiply_add(Register x, Register y, Register sum) noexcept {
        return _mm512_fmadd_ps(x, y, sum);
    }
};

} // namespace tune_gemm::avx512
