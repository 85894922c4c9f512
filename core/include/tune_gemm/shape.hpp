// A GEMM problem as people state it: extents, batch and the layout of each operand.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tune_gemm {

enum class Layout : std::uint8_t { row_major, column_major };
enum class Operand : std::uint8_t { a, b, c };

/// For every batch b: C_b = A_b * B_b, with A of m x k, B of k x n and C of m x n.
struct GemmShape {
    std::int64_t m = 0, n = 0, k = 0;
    std::int64_t batch = 1;
    std::int64_t reuse_count = 1; ///< how often operands are reused; kernels do not read it
    Layout layout_a = Layout::row_major;
    Layout layout_b = Layout::row_major;
    Layout layout_c = Layout::row_major;
    bool operator==(const GemmShape&) const = default;
};

Layout layout_of(const GemmShape&, Operand) noexcept;
/// Rows and columns of one matrix of the operand: A m x k, B k x n, C m x n.
struct Extents {
    std::int64_t rows, columns;
};
Extents extents_of(const GemmShape&, Operand) noexcept;

/// Distances in elements between neighbouring rows, columns and matrices of a batch.
struct Strides {
    std::int64_t row, column, batch;
    bool operator==(const Strides&) const = default;
};
/// Tight strides of an operand: element (i, j) of batch b lies at b*batch + i*row + j*column.
Strides strides_of(const GemmShape&, Operand);

/// Elements of an operand, all batches. Throws Error when an extent is negative or the product does not
/// fit 64 bits.
std::int64_t matrix_length(const GemmShape&, Operand);
/// m*n*k*batch. Throws Error as matrix_length does. One multiply-add is two flop.
std::int64_t multiply_adds(const GemmShape&);

/// The shape with m-1 (not below 0), the shape, and the shape with m+1.
std::array<GemmShape, 3> boundary_shapes(const GemmShape&);
/// Where a candidate is validated before it is timed at `shape`: the shape itself first, then m-1, m+1, n-1,
/// n+1, k-1, k+1, all three less, all three more, and m and n both less by 3, since an edge in one extent
/// alone never meets the corner. No extent goes below 1, and no shape comes twice.
std::vector<GemmShape> validation_shapes(const GemmShape&);

/// "row_major", "column_major"; and back, throwing Error for another text.
std::string_view to_text(Layout) noexcept;
Layout parse_layout(std::string_view text);
/// "MxNxK" or "MxNxKxBATCH" (batch only when it is not 1). The parser throws Error with the field's name for
/// anything that is not a positive integer below 2^63, and for extents whose products overflow 64 bits.
std::string shape_text(const GemmShape&);
GemmShape parse_shape(std::string_view text);
/// Three letters r or c for A, B, C, e.g. "rcr"; and back into a shape.
std::string layouts_text(const GemmShape&);
void parse_layouts(std::string_view text, GemmShape& shape);

} // namespace tune_gemm
