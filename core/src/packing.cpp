#include <tune_gemm/checked.hpp>
#include <tune_gemm/packing.hpp>

#include "pack_panels.hpp"

#include <algorithm>

namespace tune_gemm {
namespace {

/// One panel without interleaving: `filled` strips side by side for each depth, zeros up to `width`.
template <class T, class Value>
void pack_panel(std::int64_t filled, std::int64_t width, std::int64_t depth, Value value,
                T* packed) noexcept {
    for (std::int64_t l = 0; l < depth; ++l) {
        for (std::int64_t s = 0; s < filled; ++s)
            packed[s] = value(s, l);
        for (std::int64_t s = filled; s < width; ++s)
            packed[s] = T(0);
        packed += width;
    }
}

/// One panel with groups of kr depths side by side in each strip; depths past the end are zeros.
template <class T, class Value>
void pack_interleaved_panel(std::int64_t filled, std::int64_t width, std::int64_t depth, std::int64_t kr,
                            Value value, T* packed) noexcept {
    for (std::int64_t group = 0; group < depth; group += kr) {
        for (std::int64_t s = 0; s < width; ++s) {
            for (std::int64_t l = group; l < group + kr; ++l)
                *packed++ = s < filled && l < depth ? value(s, l) : T(0);
        }
    }
}

/// `value(s, l)` is what element (strip s, depth l) of the block becomes.
template <class T, class Value>
void pack_panels(std::int64_t strips, std::int64_t depth, const PanelShape& shape, Value value,
                 T* packed) noexcept {
    for (std::int64_t first = 0; first < strips; first += shape.width) {
        const std::int64_t filled = std::min(shape.width, strips - first);
        const std::int64_t width = shape.narrow_last ? filled : shape.width;
        const auto value_of_panel = [=](std::int64_t s, std::int64_t l) { return value(first + s, l); };
        if (shape.kr <= 1)
            pack_panel(filled, width, depth, value_of_panel, packed);
        else
            pack_interleaved_panel(filled, width, depth, shape.kr, value_of_panel, packed);
        packed += width * round_up(depth, shape.kr);
    }
}

} // namespace

std::int64_t packed_elements(std::int64_t strips, std::int64_t depth, const PanelShape& shape) noexcept {
    return (shape.narrow_last ? strips : round_up(strips, shape.width)) * round_up(depth, shape.kr);
}

template <class T>
void pack_block(const T* source, std::int64_t strip_stride, std::int64_t depth_stride, std::int64_t strips,
                std::int64_t depth, T scale, const PanelShape& shape, T* packed) noexcept {
    if (shape.kr <= 1 && (strip_stride == 1 || depth_stride == 1)) {
        static const pack::PackPanels<T> widest = pack::usable_packers<T>().back();
        return widest(source, strip_stride, depth_stride, strips, depth, scale, shape, packed);
    }
    const auto element = [=](std::int64_t s, std::int64_t l) {
        return source[s * strip_stride + l * depth_stride];
    };
    if (scale == T(1))
        pack_panels(strips, depth, shape, element, packed);
    else
        pack_panels(
            strips, depth, shape, [=](std::int64_t s, std::int64_t l) { return scale * element(s, l); },
            packed);
}

template void pack_block(const float*, std::int64_t, std::int64_t, std::int64_t, std::int64_t, float,
                         const PanelShape&, float*) noexcept;
template void pack_block(const double*, std::int64_t, std::int64_t, std::int64_t, std::int64_t, double,
                         const PanelShape&, double*) noexcept;

} // namespace tune_gemm
