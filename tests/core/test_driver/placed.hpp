// Operands laid out in memory with any strides, everything between and around their entries filled with
// something that no run may read or change.
#pragma once
#include <tune_gemm/problem.hpp>
#include <tune_gemm/shape.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

namespace tune_gemm::test {

/// How an operand lies in memory.
enum class Lay {
    tight,
    odd,      ///< an odd leading dimension, a gap between matrices
    negative, ///< rows and columns run backwards, leading dimension odd
    spread,   ///< no stride is 1
};

/// What stands where no entry is: a NaN for inputs, a number that depends on the position for C.
template <class T>
T filler(Operand operand, std::size_t position) {
    return operand == Operand::c ? T(1e6) + static_cast<T>(position) : std::numeric_limits<T>::quiet_NaN();
}

template <class T>
struct Placed {
    std::vector<T> memory;
    Strides strides{};
    std::int64_t origin = 0; ///< index of entry (0, 0) of the first matrix

    T* data() { return memory.data() + origin; }
    const T* data() const { return memory.data() + origin; }
};

/// Copies tight entries (of the shape's layout) to where `lay` puts them.
template <class T>
Placed<T> place(const GemmShape& shape, Operand operand, std::span<const T> tight, Lay lay) {
    const auto [rows, columns] = extents_of(shape, operand);
    const Strides from = strides_of(shape, operand);
    const bool row_major = layout_of(shape, operand) == Layout::row_major;
    const std::int64_t unit = lay == Lay::spread ? 2 : 1;
    const std::int64_t width = row_major ? columns : rows, height = row_major ? rows : columns;
    std::int64_t leading = width * unit;
    if (lay != Lay::tight)
        leading = (leading + 3) | 1;
    Placed<T> placed;
    placed.strides = row_major ? Strides{leading, unit, 0} : Strides{unit, leading, 0};
    placed.strides.batch = leading * height + (lay == Lay::tight ? 0 : 5);
    const std::int64_t margin = lay == Lay::tight ? 0 : 4;
    const std::size_t size = static_cast<std::size_t>(placed.strides.batch * shape.batch + 2 * margin);
    placed.memory.resize(size);
    for (std::size_t x = 0; x < size; ++x)
        placed.memory[x] = filler<T>(operand, x);
    placed.origin = margin;
    if (lay == Lay::negative && rows > 0 && columns > 0) {
        placed.origin += (rows - 1) * placed.strides.row + (columns - 1) * placed.strides.column;
        placed.strides.row = -placed.strides.row;
        placed.strides.column = -placed.strides.column;
    }
    for (std::int64_t batch = 0; batch < shape.batch; ++batch)
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j)
                placed.data()[batch * placed.strides.batch + i * placed.strides.row +
                              j * placed.strides.column] =
                    tight[static_cast<std::size_t>(batch * from.batch + i * from.row + j * from.column)];
    return placed;
}

/// Equal bit for bit, padding included; all NaNs are equal.
template <class T>
bool same_memory(const std::vector<T>& x, const std::vector<T>& y) {
    if (x.size() != y.size())
        return false;
    if (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0)
        return true;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const bool same = std::memcmp(&x[i], &y[i], sizeof(T)) == 0 || (std::isnan(x[i]) && std::isnan(y[i]));
        if (!same)
            return false;
    }
    return true;
}

/// The eight layouts by number.
inline GemmShape with_layouts(GemmShape shape, int number) {
    const auto layout = [=](int bit) {
        return (number >> bit & 1) != 0 ? Layout::column_major : Layout::row_major;
    };
    shape.layout_a = layout(2);
    shape.layout_b = layout(1);
    shape.layout_c = layout(0);
    return shape;
}

} // namespace tune_gemm::test
