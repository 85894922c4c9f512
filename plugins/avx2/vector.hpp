// The registers of AVX2 with FMA. Include only where the instructions may be used.
#pragma once
#include <immintrin.h>

namespace tune_gemm::avx2 {

struct F64 {
    using Element = double;
    using Register = __m256d;
    using Mask = __m256i;
    static constexpr int lanes = 4;
    static constexpr int steps = 2;

    /// The first `count` lanes, 0 <= count <= lanes.
    static Mask first(int count) noexcept {
        return _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3));
    }
    static Register zero() noexcept { return _mm256_setzero_pd(); }
    static Register load(const double* from) noexcept { return _mm256_loadu_pd(from); }
    /// Lanes outside the mask are zero, and their memory is not touched.
    static Register load(const double* from, Mask mask) noexcept { return _mm256_maskload_pd(from, mask); }
    static void store(double* to, Register value) noexcept { _mm256_storeu_pd(to, value); }
    static void store(double* to, Mask mask, Register value) noexcept {
        _mm256_maskstore_pd(to, mask, value);
    }
    static Register spread(const double* entry) noexcept { return _mm256_broadcast_sd(entry); }
    static Register multiply_add(Register x, Register y, Register sum) noexcept {
        return _mm256_fmadd_pd(x, y, sum);
    }
    /// As it is: to fix the registers makes the compiler no better here.
    static Register multiply_add_in_place(Register x, Register y, Register sum) noexcept {
        return multiply_add(x, y, sum);
    }
};

struct F32 {
    using Element = float;
    using Register = __m256;
    using Mask = __m256i;
    static constexpr int lanes = 8;
    static constexpr int steps = 2;

    static Mask first(int count) noexcept {
        return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    }
    static Register zero() noexcept { return _mm256_setzero_ps(); }
    static Register load(const float* from) noexcept { return _mm256_loadu_ps(from); }
    static Register load(const float* from, Mask mask) noexcept { return _mm256_maskload_ps(from, mask); }
    static void store(float* to, Register value) noexcept { _mm256_storeu_ps(to, value); }
    static void store(float* to, Mask mask, Register value) noexcept { _mm256_maskstore_ps(to, mask, value); }
    static Register spread(const float* entry) noexcept { return _mm256_broadcast_ss(entry); }
    static Register multiply_add(Register x, Register y, Register sum) noexcept {
        return _mm256_fmadd_ps(x, y, sum);
    }
    /// As it is: to fix the registers makes the compiler no better here.
    static Register multiply_add_in_place(Register x, Register y, Register sum) noexcept {
        return multiply_add(x, y, sum);
    }
};

} // namespace tune_gemm::avx2
