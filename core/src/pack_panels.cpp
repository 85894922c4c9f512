#include "pack_panels.hpp"

#include "pack_vectors.hpp"

#include <algorithm>

namespace tune_gemm::pack {
namespace {

/// Rows of a source that are copied side by side, so that each is read in order and each panel written in
/// pieces of some lines.
constexpr std::int64_t rows_at_once = 8;

template <class T>
void fill_with_zeros(std::int64_t filled, std::int64_t width, std::int64_t depth, T* packed) noexcept {
    for (std::int64_t l = 0; l < depth; ++l)
        std::fill(packed + l * width + filled, packed + (l + 1) * width, T(0));
}

/// Contiguous along depth.
template <bool scaled, int bytes, class T>
[[gnu::always_inline]] inline void pack_along_depth(const Source<T>& source, std::int64_t strips,
                                                    std::int64_t depth, T scale, const PanelShape& shape,
                                                    T* packed) noexcept {
    for (std::int64_t first = 0; first < strips; first += shape.width) {
        const std::int64_t filled = std::min(shape.width, strips - first);
        const std::int64_t width = shape.narrow_last ? filled : shape.width;
        const std::int64_t ahead = first + filled + shape.width <= strips ? shape.width : 0;
        transpose_panel<scaled, T, bytes / int{sizeof(T)}>(source, first, first + filled, ahead, depth, scale,
                                                           width, packed);
        if (filled < width)
            fill_with_zeros(filled, width, depth, packed);
        packed += width * depth;
    }
}

/// Contiguous along the strips.
template <bool scaled, int bytes, class T>
[[gnu::always_inline]] inline void pack_along_strips(const Source<T>& source, std::int64_t strips,
                                                     std::int64_t depth, T scale, const PanelShape& shape,
                                                     T* packed) noexcept {
    for (std::int64_t l = 0; l < depth; l += rows_at_once) {
        const std::int64_t end = std::min(depth, l + rows_at_once);
        for (std::int64_t first = 0; first < strips; first += shape.width) {
            const std::int64_t filled = std::min(shape.width, strips - first);
            const std::int64_t width = shape.narrow_last ? filled : shape.width;
            T* const panel = packed + first * depth; // panels before the last are all whole
            for (std::int64_t row = l; row < end; ++row)
                copy_row<scaled, T, bytes / int{sizeof(T)}>(source.at(first, row), filled, scale,
                                                            panel + row * width);
        }
    }
    const std::int64_t filled = strips % shape.width;
    if (filled != 0 && !shape.narrow_last)
        fill_with_zeros(filled, shape.width, depth, packed + (strips - filled) * depth);
}

template <int bytes, class T>
[[gnu::always_inline]] inline void
pack_panels(const T* source, std::int64_t strip_stride, std::int64_t depth_stride, std::int64_t strips,
            std::int64_t depth, T scale, const PanelShape& shape, T* packed) noexcept {
    const Source<T> from{source, strip_stride, depth_stride};
    if (depth_stride == 1) {
        if (scale == T(1))
            pack_along_depth<false, bytes>(from, strips, depth, scale, shape, packed);
        else
            pack_along_depth<true, bytes>(from, strips, depth, scale, shape, packed);
    } else {
        if (scale == T(1))
            pack_along_strips<false, bytes>(from, strips, depth, scale, shape, packed);
        else
            pack_along_strips<true, bytes>(from, strips, depth, scale, shape, packed);
    }
}

/// 16 bytes are a register on every 64-bit processor.
template <class T>
void pack_16(const T* source, std::int64_t strip_stride, std::int64_t depth_stride, std::int64_t strips,
             std::int64_t depth, T scale, const PanelShape& shape, T* packed) noexcept {
    pack_panels<16>(source, strip_stride, depth_stride, strips, depth, scale, shape, packed);
}

#if defined(__x86_64__)
template <class T>
[[gnu::target("avx2")]] void pack_32(const T* source, std::int64_t strip_stride, std::int64_t depth_stride,
                                     std::int64_t strips, std::int64_t depth, T scale,
                                     const PanelShape& shape, T* packed) noexcept {
    pack_panels<32>(source, strip_stride, depth_stride, strips, depth, scale, shape, packed);
}
template <class T>
[[gnu::target("avx512f")]] void pack_64(const T* source, std::int64_t strip_stride, std::int64_t depth_stride,
                                        std::int64_t strips, std::int64_t depth, T scale,
                                        const PanelShape& shape, T* packed) noexcept {
    pack_panels<64>(source, strip_stride, depth_stride, strips, depth, scale, shape, packed);
}

std::size_t usable_sizes() noexcept {
    // avx512f implies avx2 on every processor, but not in what an emulator or a mask of features shows.
    return !__builtin_cpu_supports("avx2") ? 1 : !__builtin_cpu_supports("avx512f") ? 2 : 3;
}
template <class T>
constexpr PackPanels<T> every_size[] = {pack_16<T>, pack_32<T>, pack_64<T>};
#else
constexpr std::size_t usable_sizes() noexcept {
    return 1;
}
template <class T>
constexpr PackPanels<T> every_size[] = {pack_16<T>};
#endif

} // namespace

template <class T>
std::span<const PackPanels<T>> usable_packers() noexcept {
    return std::span(every_size<T>).first(usable_sizes());
}

template std::span<const PackPanels<float>> usable_packers<float>() noexcept;
template std::span<const PackPanels<double>> usable_packers<double>() noexcept;

} // namespace tune_gemm::pack
