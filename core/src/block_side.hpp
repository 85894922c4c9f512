// The two inputs of a blocked product as its loops see them, block by block.
#pragma once
#include <tune_gemm/checked.hpp>
#include <tune_gemm/packing.hpp>

#include "division.hpp"

#include <algorithm>
#include <cstdint>

namespace tune_gemm {

/// Which block of something is meant: a matrix of the batch, where in it the block begins, and of a block of
/// an input how many strips it has.
struct BlockKey {
    std::int64_t batch = -1, first = -1, second = -1, strips = 0;
    bool operator==(const BlockKey&) const = default;
};

/// How a sweep walks over one side of a block: from tile to tile, each `step` elements from the one before.
template <class T>
struct Walk {
    const T* first;
    std::int64_t step;
};

/// One side of the product in the kernel's view. Strips are rows of A or columns of B; depth runs along k.
template <class T>
struct Side {
    const T* data = nullptr;
    std::int64_t strip_stride = 0, depth_stride = 0, batch_stride = 0;
    std::int64_t tile_width = 0; ///< mr or nr
    PanelShape panel{};
    T scale = T(1);
    const PackedOperand* prepacked = nullptr;
    T* buffer = nullptr; ///< where a block is packed; null when the tile takes the operand in place
    BlockKey held{};     ///< the block that is in the buffer

    /// The block of strips x depth that begins at (strip, l): packed before, in place, or packed now unless
    /// it is the one in the buffer. So packing follows any nesting of the loops.
    Walk<T> block(std::int64_t batch, std::int64_t strip, std::int64_t l, std::int64_t strips,
                  std::int64_t depth) {
        if (prepacked != nullptr)
            return {prepacked->data.template as<T>() + prepacked->block_offset(batch, strip, l),
                    packed_step(depth)};
        const T* source = at(batch, strip, l);
        if (buffer == nullptr)
            return {source, tile_width * strip_stride};
        const BlockKey wanted{batch_stride == 0 ? 0 : batch, strip, l, strips};
        if (held != wanted) {
            pack_block(source, strip_stride, depth_stride, strips, depth, scale, panel, buffer);
            held = wanted;
        }
        return {buffer, packed_step(depth)};
    }

    /// For buffers that threads share: panels `some` of the block that begins at (strip, l), packed.
    void pack_panels(std::int64_t batch, std::int64_t strip, std::int64_t l, std::int64_t strips,
                     std::int64_t depth, const Range& some) const noexcept {
        const std::int64_t begin = some.begin * panel.width, end = std::min(strips, some.end * panel.width);
        pack_block(at(batch, strip + begin, l), strip_stride, depth_stride, end - begin, depth, scale, panel,
                   buffer + begin * round_up(depth, panel.kr));
    }
    /// And the block from the strip `past` on, where a tile begins.
    Walk<T> packed_from(std::int64_t past, std::int64_t depth) const noexcept {
        return {buffer + past / tile_width * packed_step(depth), packed_step(depth)};
    }

  private:
    const T* at(std::int64_t batch, std::int64_t strip, std::int64_t l) const noexcept {
        return data + batch * batch_stride + strip * strip_stride + l * depth_stride;
    }
    /// A panel a tile; or, where the block is one wide panel, tile_width of its strips.
    std::int64_t packed_step(std::int64_t depth) const noexcept {
        return panel.width == tile_width ? panel.width * round_up(depth, panel.kr) : tile_width;
    }
};

} // namespace tune_gemm
