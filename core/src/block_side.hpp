// The two inputs of a blocked product as its loops see them, block by block.
#pragma once
#include <tune_gemm/checked.hpp>
#include <tune_gemm/packing.hpp>

#include "thread_grid.hpp"
#include "waiting.hpp"

#include <algorithm>
#include <cstdint>

namespace tune_gemm {

/// Which block of something is meant: a matrix of the batch, and where in it the block begins.
struct BlockKey {
    std::int64_t batch = -1, first = -1, second = -1;
    bool operator==(const BlockKey&) const = default;
};

/// How a sweep walks over one side of a block: from tile to tile, each `step` elements from the one before.
template <class T>
struct Walk {
    const T* first;
    std::int64_t step;
};

/// The threads that share the buffer of a side: all ask for the same blocks in the same order.
struct Team {
    unsigned size = 1, index = 0;
    Barrier* barrier = nullptr; ///< null for a team of one
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
    Team team{};
    BlockKey held{}; ///< the block that is in the buffer

    /// The block of strips x depth that begins at (strip, l): packed before, in place, or packed now unless
    /// it is the one in the buffer. So packing follows any nesting of the loops.
    Walk<T> block(std::int64_t batch, std::int64_t strip, std::int64_t l, std::int64_t strips,
                  std::int64_t depth) {
        if (prepacked != nullptr)
            return {prepacked->data.template as<T>() + prepacked->block_offset(batch, strip, l),
                    packed_step(depth)};
        const T* source = data + batch * batch_stride + strip * strip_stride + l * depth_stride;
        if (buffer == nullptr)
            return {source, tile_width * strip_stride};
        const BlockKey wanted{batch_stride == 0 ? 0 : batch, strip, l};
        if (held != wanted) {
            pack(source, strips, depth);
            held = wanted;
        }
        return {buffer, packed_step(depth)};
    }

  private:
    /// A panel a tile; or, where the block is one wide panel, tile_width of its strips.
    std::int64_t packed_step(std::int64_t depth) const noexcept {
        return panel.width == tile_width ? panel.width * round_up(depth, panel.kr) : tile_width;
    }

    /// A team packs together, some panels each, once all have done with the block before.
    void pack(const T* source, std::int64_t strips, std::int64_t depth) const noexcept {
        if (team.size == 1) {
            pack_block(source, strip_stride, depth_stride, strips, depth, scale, panel, buffer);
            return;
        }
        team.barrier->meet(team.size);
        const Range own = share_of(strips, panel.width, team.size, team.index);
        if (own.length() > 0)
            pack_block(source + own.begin * strip_stride, strip_stride, depth_stride, own.length(), depth,
                       scale, panel, buffer + own.begin * round_up(depth, panel.kr));
        team.barrier->meet(team.size);
    }
};

} // namespace tune_gemm
