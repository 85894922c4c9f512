// Packing: operands copied into micro-panels, the order in which a tile reads them.
//
// A block of A (rows x depth) becomes ceil(rows/mr) micro-panels, one after the other. In a panel, element
// (i, l) is at (l/kr)*width*kr + i*kr + l%kr: for kr = 1, `width` entries of one l side by side. `width` is
// mr; the last panel of a free tile has its own, narrower width, and the last panel of a fixed tile is filled
// with zeros to mr. B is packed likewise with columns for rows and nr for mr: "strip" below is a row of A or
// a column of B.
#pragma once
#include <tune_gemm/buffer.hpp>
#include <tune_gemm/candidate.hpp>
#include <tune_gemm/catalogue.hpp>
#include <tune_gemm/problem.hpp>

#include <cstdint>

namespace tune_gemm {

/// How the strips of a block are grouped into panels.
struct PanelShape {
    std::int64_t width = 1; ///< mr or nr
    std::int64_t kr = 1;
    bool narrow_last = true; ///< free tile: the last panel is as wide as what is left; fixed: padded to width
    bool operator==(const PanelShape&) const = default;
};

/// Elements that the packed block of `strips` x `depth` takes.
std::int64_t packed_elements(std::int64_t strips, std::int64_t depth, const PanelShape&) noexcept;

/// Packs source element (strip s, depth l) at source[s*strip_stride + l*depth_stride], multiplied by `scale`
/// (1: copied; the multiplication is rounded once, before any use), into `packed`.
template <class T>
void pack_block(const T* source, std::int64_t strip_stride, std::int64_t depth_stride, std::int64_t strips,
                std::int64_t depth, T scale, const PanelShape&, T* packed) noexcept;

/// A whole operand packed ahead of its use. Belongs to the caller; knows what it was packed for, and a plan
/// refuses one that was packed for something else.
struct PackedOperand {
    Operand operand = Operand::a; ///< the user's
    tg_dtype dtype = TG_F64;
    std::int64_t strips = 0, depth = 0, batch = 1; ///< of one matrix: rows and k for A, columns and k for B
    std::int64_t strip_block = 0, depth_block = 0; ///< the kernel's mc or nc, and kc
    PanelShape panel;
    double scale = 1;       ///< alpha for B
    std::int64_t align = 1; ///< elements: each block starts at a multiple
    Buffer data;            ///< block after block: batch outermost, then depth blocks, then strip blocks

    /// Elements of all blocks, gaps of alignment included. Throws Error when they do not fit 64 bits.
    std::int64_t elements() const;

    /// First element of the packed block that starts at (strip, depth) of matrix `batch_index`.
    std::int64_t block_offset(std::int64_t batch_index, std::int64_t strip,
                              std::int64_t depth) const noexcept;
};

/// Bytes of the operands that the candidate's mode wants packed ahead, 0 when it wants none. They count
/// against the workspace limit. Throws Error on overflow or when the candidate is not valid for the shape's
/// kernel.
std::int64_t prepacked_bytes(const GemmCandidate&, const GemmShape&, const Catalogue& = builtin_catalogue());

} // namespace tune_gemm
