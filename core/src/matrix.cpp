#include "elements.hpp"

#include <tune_gemm/matrix.hpp>

namespace tune_gemm {
namespace {

class Generator {
  public:
    explicit Generator(std::uint64_t seed) noexcept : state_(seed ^ 0x9E3779B97F4A7C15u) {}

    double next() noexcept {
        state_ = 6364136223846793005u * state_ + 1442695040888963407u;
        return static_cast<double>((state_ >> 32) % 2001) / 1000.0 - 1.0;
    }

  private:
    std::uint64_t state_;
};

/// Writes one matrix where `strides` say, values generated in row-major order.
void generate(std::uint64_t seed, std::int64_t rows, std::int64_t columns, const Strides& strides,
              double* matrix) {
    Generator generator(seed);
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j)
            matrix[i * strides.row + j * strides.column] = generator.next();
}

template <class T>
std::vector<T> packed(const GemmShape& shape, std::span<const T> data, Operand operand) {
    if (operand == Operand::c)
        throw_bad_input("Operand c cannot be packed; pack_operand takes a or b.");
    require_length(shape, operand, data);
    auto copy = make_elements<T>(static_cast<std::int64_t>(data.size()));
    if (copy.empty())
        return copy;
    const auto [rows, columns] = extents_of(shape, operand);
    const Strides from = strides_of(shape, operand);
    auto to = copy.begin();
    for (std::int64_t b = 0; b < shape.batch; ++b)
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j)
                *to++ = data[static_cast<std::size_t>(b * from.batch + i * from.row + j * from.column)];
    return copy;
}

} // namespace

std::vector<double> reproducible_matrix(std::uint64_t seed, std::int64_t rows, std::int64_t columns,
                                        Layout layout) {
    if (rows <= 0 || columns <= 0)
        return {};
    // As the A of a shape, so that the length is checked in one place.
    const GemmShape shape{.m = rows, .k = columns, .layout_a = layout};
    auto matrix = make_elements<double>(matrix_length(shape, Operand::a));
    generate(seed, rows, columns, strides_of(shape, Operand::a), matrix.data());
    return matrix;
}

std::vector<double> reproducible_operand(std::uint64_t seed, const GemmShape& shape, Operand operand) {
    auto elements = make_elements<double>(matrix_length(shape, operand));
    if (elements.empty())
        return elements;
    const auto [rows, columns] = extents_of(shape, operand);
    const Strides strides = strides_of(shape, operand);
    for (std::int64_t b = 0; b < shape.batch; ++b) {
        generate(seed + static_cast<std::uint64_t>(b), rows, columns, strides,
                 elements.data() + b * strides.batch);
    }
    return elements;
}

std::vector<float> to_f32(std::span<const double> values) {
    auto rounded = make_elements<float>(static_cast<std::int64_t>(values.size()));
    for (std::size_t index = 0; index < values.size(); ++index)
        rounded[index] = static_cast<float>(values[index]);
    return rounded;
}

std::vector<double> pack_operand(const GemmShape& shape, std::span<const double> data, Operand operand) {
    return packed<double>(shape, data, operand);
}
std::vector<float> pack_operand_f32(const GemmShape& shape, std::span<const float> data, Operand operand) {
    return packed<float>(shape, data, operand);
}

} // namespace tune_gemm
