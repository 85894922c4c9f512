#include <tune_gemm/checked.hpp>
#include <tune_gemm/problem.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <limits>

namespace tune_gemm {
namespace {

Strides transposed(const Strides& s) noexcept {
    return {s.column, s.row, s.batch};
}

/// The largest distance in elements between two entries of an operand, or nothing when 64 bits do not hold it
/// in bytes (of eight bytes each).
std::optional<std::int64_t> span_of(std::int64_t rows, std::int64_t columns, std::int64_t batch,
                                    const Strides& s) {
    const std::int64_t steps[3][2] = {{rows, s.row}, {columns, s.column}, {batch, s.batch}};
    std::int64_t span = 0;
    for (const auto& [extent, stride] : steps) {
        if (stride == std::numeric_limits<std::int64_t>::min())
            return std::nullopt;
        const auto reach = checked_multiply(extent - 1, std::abs(stride));
        const auto sum = reach ? checked_add(span, *reach) : std::nullopt;
        if (!sum)
            return std::nullopt;
        span = *sum;
    }
    return checked_multiply(span, sizeof(double)) ? std::optional(span) : std::nullopt;
}

} // namespace

std::optional<Refusal> problem_fault(const GemmProblem& p) {
    const std::pair<const char*, std::int64_t> extents[] = {
        {"m", p.m}, {"n", p.n}, {"k", p.k}, {"batch", p.batch}};
    for (const auto& [name, extent] : extents) {
        if (extent < 0)
            return Refusal{name, fmt::format("{} is {}; expected 0 or more.", name, extent)};
    }
    if (p.m == 0 || p.n == 0 || p.batch == 0)
        return std::nullopt;
    const struct {
        const char* name;
        std::int64_t rows, columns;
        const Strides& strides;
    } operands[] = {{"a", p.m, p.k, p.a}, {"b", p.k, p.n, p.b}, {"c", p.m, p.n, p.c}};
    for (const auto& [name, rows, columns, strides] : operands) {
        if (rows == 0 || columns == 0)
            continue;
        if (!span_of(rows, columns, p.batch, strides))
            return Refusal{
                name, fmt::format("Operand {} of {}x{} with strides {}, {} and {} between matrices reaches "
                                  "further than 64 bits of bytes; expected smaller extents or strides.",
                                  name, rows, columns, strides.row, strides.column, strides.batch)};
    }
    return std::nullopt;
}

GemmProblem problem_of(const GemmShape& shape, double alpha, double beta) {
    return {.m = shape.m,
            .n = shape.n,
            .k = shape.k,
            .batch = shape.batch,
            .a = strides_of(shape, Operand::a),
            .b = strides_of(shape, Operand::b),
            .c = strides_of(shape, Operand::c),
            .alpha = alpha,
            .beta = beta};
}

GemmProblem swapped(const GemmProblem& p) {
    return {.m = p.n,
            .n = p.m,
            .k = p.k,
            .batch = p.batch,
            .a = transposed(p.b),
            .b = transposed(p.a),
            .c = transposed(p.c),
            .alpha = p.alpha,
            .beta = p.beta};
}

} // namespace tune_gemm
