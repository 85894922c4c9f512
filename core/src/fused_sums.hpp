// The inner steps of the fused reference: sums that grow by one rounded fma at a time.
//
// fma has one right answer for every input, so the two variants here have the same bits by definition and a
// test compares them. The one that uses the processor's instruction is an order of magnitude faster than a
// call of the C library for each step, which is all that a program built for any x86-64 can do by itself.
#pragma once
#include <cstdint>

namespace tune_gemm {

/// T is float or double.
template <class T>
struct FusedSums {
    /// sums[j] := fma(x, row[j], sums[j]) for 0 <= j < n. The two arrays do not overlap.
    void (*add_row)(T x, const T* row, T* sums, std::int64_t n) noexcept;
    /// From +0, adds a[l*step_a] * b[l*step_b] in increasing l < k.
    T (*dot)(const T* a, std::int64_t step_a, const T* b, std::int64_t step_b, std::int64_t k) noexcept;
};

/// By std::fma, on any processor.
template <class T>
const FusedSums<T>& fused_sums_portable() noexcept;
/// By the processor's instruction; null where this build or this processor knows of none besides.
template <class T>
const FusedSums<T>* fused_sums_by_instruction() noexcept;
/// The faster of the two that can be had here.
template <class T>
const FusedSums<T>& fused_sums() noexcept;

} // namespace tune_gemm
