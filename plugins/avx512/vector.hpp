// The registers of AVX-512. Include only where the instructions may be used.
#pragma once
#include <cstdint>

#include <immintrin.h>

namespace tune_gemm::avx512 {

struct F64 {
    using Element = double;
    using Register = __m512d;
    using Mask = __mmask8;
    static constexpr int lanes = 8;
    static constexpr int steps = 4;

    /// The first `count` lanes, 0 <= count <= lanes.
    static Mask first(int count) noexcept { return static_cast<Mask>((1u << count) - 1u); }
    static Register zero() noexcept { return _mm512_setzero_pd(); }
    static Register load(const double* from) noexcept { return _mm512_loadu_pd(from); }
    /// Lanes outside the mask are zero, and their memory is not touched.
    static Register load(const double* from, Mask mask) noexcept {
        __asm__("" : "+Yk"(mask)); // else it is loaded from the stack again and again
        return _mm512_maskz_loadu_pd(mask, from);
    }
    static void store(double* to, Register value) noexcept { _mm512_storeu_pd(to, value); }
    static void store(double* to, Mask mask, Register value) noexcept {
        _mm512_mask_storeu_pd(to, mask, value);
    }
    static Register spread(const double* entry) noexcept { return _mm512_set1_pd(*entry); }
    static Register multiply_add(Register x, Register y, Register sum) noexcept {
        return _mm512_fmadd_pd(x, y, sum);
    }
    /// The same bits. The sum stays in its register: left to itself, the compiler gives it that of a factor
    /// now and then, and where almost all registers are sums it then puts some into memory. But no factor
    /// can be read from memory by the instruction itself.
    static Register multiply_add_in_place(Register x, Register y, Register sum) noexcept {
        __asm__("vfmadd231pd %2, %1, %0" : "+v"(sum) : "v"(x), "v"(y));
        return sum;
    }

    /// Entries l and l + 1 of eight rows, as two registers whose lanes are rows.
    static void columns_of(const double* const* rows, std::int64_t l, Register* columns) noexcept {
        const Register low = four(rows, l), high = four(rows + 4, l);
        columns[0] = __builtin_shufflevector(low, high, 0, 8, 2, 10, 4, 12, 6, 14);
        columns[1] = __builtin_shufflevector(low, high, 1, 9, 3, 11, 5, 13, 7, 15);
    }
    static constexpr int row_of_lane(int lane) noexcept { return lane / 2 + lane % 2 * 4; }

  private:
    static Register four(const double* const* rows, std::int64_t l) noexcept {
        Register all = _mm512_castpd128_pd512(_mm_loadu_pd(rows[0] + l));
        all = _mm512_mask_broadcast_f64x2(all, 0x0c, _mm_loadu_pd(rows[1] + l));
        all = _mm512_mask_broadcast_f64x2(all, 0x30, _mm_loadu_pd(rows[2] + l));
        return _mm512_mask_broadcast_f64x2(all, 0xc0, _mm_loadu_pd(rows[3] + l));
    }
};

struct F32 {
    using Element = float;
    using Register = __m512;
    using Mask = __mmask16;
    static constexpr int lanes = 16;
    static constexpr int steps = 4;

    static Mask first(int count) noexcept { return static_cast<Mask>((1u << count) - 1u); }
    static Register zero() noexcept { return _mm512_setzero_ps(); }
    static Register load(const float* from) noexcept { return _mm512_loadu_ps(from); }
    static Register load(const float* from, Mask mask) noexcept {
        __asm__("" : "+Yk"(mask));
        return _mm512_maskz_loadu_ps(mask, from);
    }
    static void store(float* to, Register value) noexcept { _mm512_storeu_ps(to, value); }
    static void store(float* to, Mask mask, Register value) noexcept {
        _mm512_mask_storeu_ps(to, mask, value);
    }
    static Register spread(const float* entry) noexcept { return _mm512_set1_ps(*entry); }
    static Register multiply_add(Register x, Register y, Register sum) noexcept {
        return _mm512_fmadd_ps(x, y, sum);
    }
    static Register multiply_add_in_place(Register x, Register y, Register sum) noexcept {
        __asm__("vfmadd231ps %2, %1, %0" : "+v"(sum) : "v"(x), "v"(y));
        return sum;
    }

    /// Entries l to l + 3 of sixteen rows, as four registers whose lanes are rows.
    static void columns_of(const float* const* rows, std::int64_t l, Register* columns) noexcept {
        const Register r0 = four(rows, l), r4 = four(rows + 4, l), r8 = four(rows + 8, l),
                       r12 = four(rows + 12, l);
        const Register a = first_halves(r0, r4), b = first_halves(r8, r12), c = second_halves(r0, r4),
                       d = second_halves(r8, r12);
        columns[0] = pairs<0>(a, b);
        columns[1] = pairs<1>(a, b);
        columns[2] = pairs<0>(c, d);
        columns[3] = pairs<1>(c, d);
    }
    static constexpr int row_of_lane(int lane) noexcept { return lane / 4 + lane % 4 * 4; }

  private:
    // Of each sixteen bytes: entries 0 and 1, or 2 and 3, of x and y in turn; and the first or second pair of
    // x and that of y.
    static Register first_halves(Register x, Register y) noexcept {
        return __builtin_shufflevector(x, y, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
    }
    static Register second_halves(Register x, Register y) noexcept {
        return __builtin_shufflevector(x, y, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
    }
    template <int which>
    static Register pairs(Register x, Register y) noexcept {
        constexpr int p = 2 * which;
        return __builtin_shufflevector(x, y, p, p + 1, p + 16, p + 17, p + 4, p + 5, p + 20, p + 21, p + 8,
                                       p + 9, p + 24, p + 25, p + 12, p + 13, p + 28, p + 29);
    }
    static Register four(const float* const* rows, std::int64_t l) noexcept {
        Register all = _mm512_castps128_ps512(_mm_loadu_ps(rows[0] + l));
        all = _mm512_mask_broadcast_f32x4(all, 0x00f0, _mm_loadu_ps(rows[1] + l));
        all = _mm512_mask_broadcast_f32x4(all, 0x0f00, _mm_loadu_ps(rows[2] + l));
        return _mm512_mask_broadcast_f32x4(all, 0xf000, _mm_loadu_ps(rows[3] + l));
    }
};

} // namespace tune_gemm::avx512
