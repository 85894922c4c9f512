// The fast ways to pack: a source that is contiguous along its strips or along depth, into panels without
// interleaving, with the vectors that the processor has.
#pragma once
#include <tune_gemm/packing.hpp>

#include <cstdint>
#include <span>

namespace tune_gemm::pack {

/// The arguments of pack_block; the shape's kr is 1 at most, and strip_stride or depth_stride is 1.
template <class T>
using PackPanels = void (*)(const T* source, std::int64_t strip_stride, std::int64_t depth_stride,
                            std::int64_t strips, std::int64_t depth, T scale, const PanelShape&,
                            T* packed) noexcept;

/// One for each size of vectors that this processor has, the widest last. All give the same bits.
template <class T>
std::span<const PackPanels<T>> usable_packers() noexcept;

} // namespace tune_gemm::pack
