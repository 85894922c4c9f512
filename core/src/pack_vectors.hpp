// Packing with vectors: panels without interleaving, whose source is contiguous one way or the other.
//
// Everything is a template of the vector's size in bytes and inlined by force, so that one text becomes code
// for each instruction set: see pack_panels.cpp. Vectors are only passed by reference, which needs no
// convention. Elements are moved, or multiplied by `scale`, one by one and never mixed, so every size gives
// the same bits.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace tune_gemm::pack {

/// What is packed: element (strip s, depth l) at source[s*strip_stride + l*depth_stride].
template <class T>
struct Source {
    const T* first;
    std::int64_t strip_stride, depth_stride;

    const T* at(std::int64_t strip, std::int64_t depth) const noexcept {
        return first + strip * strip_stride + depth * depth_stride;
    }
};

template <class T, int lanes>
struct VectorOf {
    using Type [[gnu::vector_size(lanes * sizeof(T))]] = T;
};
template <class T>
struct VectorOf<T, 1> {
    using Type = T;
};
template <class T, int lanes>
using Vector = typename VectorOf<T, lanes>::Type;

/// Multiplied by scale when there is one (the multiplication is rounded once).
template <bool scaled, class V, class T>
[[gnu::always_inline]] inline void apply(V& vector, T scale) noexcept {
    if constexpr (scaled)
        vector = scale * vector;
}

/// Exchanges, between two rows, the groups of `step` entries off the diagonal.
template <int step, class V, int... lane>
[[gnu::always_inline]] inline void exchange(V& upper, V& lower,
                                            std::integer_sequence<int, lane...>) noexcept {
    constexpr int lanes = sizeof...(lane);
    const V x = upper, y = lower;
    upper = __builtin_shufflevector(x, y, (lane & step) == 0 ? lane : lane - step + lanes...);
    lower = __builtin_shufflevector(x, y, (lane & step) == 0 ? lane + step : lane + lanes...);
}

template <class T, int lanes, int step = 1>
[[gnu::always_inline]] inline void transpose(Vector<T, lanes> (&rows)[lanes]) noexcept {
    if constexpr (step < lanes) {
#pragma GCC unroll 16
        for (int i = 0; i < lanes; ++i) {
            if ((i & step) == 0)
                exchange<step>(rows[i], rows[i + step], std::make_integer_sequence<int, lanes>{});
        }
        transpose<T, lanes, 2 * step>(rows);
    }
}

/// `lanes` strips from `strip` on of a source that is contiguous along depth: square pieces, transposed. The
/// lines that follow `ahead` strips later are fetched meanwhile, for they begin new streams.
template <bool scaled, class T, int lanes>
[[gnu::always_inline]] inline void transpose_strips(const Source<T>& source, std::int64_t strip,
                                                    std::int64_t ahead, std::int64_t depth, T scale,
                                                    std::int64_t width, T* packed) noexcept {
    std::int64_t l = 0;
    for (; l + lanes <= depth; l += lanes) {
        Vector<T, lanes> rows[lanes];
#pragma GCC unroll 16
        for (int i = 0; i < lanes; ++i) {
            const T* const from = source.at(strip + i, l);
            std::memcpy(&rows[i], from, sizeof rows[i]);
            apply<scaled>(rows[i], scale);
            if (ahead != 0 && (lanes * sizeof(T) >= 32 || l % (64 / sizeof(T)) == 0))
                __builtin_prefetch(from + ahead * source.strip_stride);
        }
        transpose<T, lanes>(rows);
#pragma GCC unroll 16
        for (int i = 0; i < lanes; ++i)
            std::memcpy(packed + (l + i) * width, &rows[i], sizeof rows[i]);
    }
    for (; l < depth; ++l) {
        for (int i = 0; i < lanes; ++i) {
            T value = *source.at(strip + i, l);
            apply<scaled>(value, scale);
            packed[l * width + i] = value;
        }
    }
}

/// Strips [strip, strips) in pieces of `lanes` and, for the rest, ever smaller ones.
template <bool scaled, class T, int lanes>
[[gnu::always_inline]] inline void
transpose_panel(const Source<T>& source, std::int64_t strip, std::int64_t strips, std::int64_t ahead,
                std::int64_t depth, T scale, std::int64_t width, T* packed) noexcept {
    for (; strip + lanes <= strips; strip += lanes, packed += lanes)
        transpose_strips<scaled, T, lanes>(source, strip, ahead, depth, scale, width, packed);
    if constexpr (lanes > 1)
        transpose_panel<scaled, T, lanes / 2>(source, strip, strips, ahead, depth, scale, width, packed);
}

/// `count` neighbours copied in pieces of `lanes` and, for the rest, ever smaller ones.
template <bool scaled, class T, int lanes>
[[gnu::always_inline]] inline void copy_row(const T* from, std::int64_t count, T scale, T* to) noexcept {
    std::int64_t x = 0;
    for (; x + lanes <= count; x += lanes) {
        Vector<T, lanes> part;
        std::memcpy(&part, from + x, sizeof part);
        apply<scaled>(part, scale);
        std::memcpy(to + x, &part, sizeof part);
    }
    if constexpr (lanes > 1) {
        if (x < count)
            copy_row<scaled, T, lanes / 2>(from + x, count - x, scale, to + x);
    }
}

} // namespace tune_gemm::pack
