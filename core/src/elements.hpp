// Vectors of matrix elements: made, and checked for the length that a shape asks for.
#pragma once
#include <tune_gemm/error.hpp>
#include <tune_gemm/shape.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <stdexcept>
#include <vector>

namespace tune_gemm {

/// `count` zeros. Throws Error with the number of bytes when memory does not suffice.
template <class T>
std::vector<T> make_elements(std::int64_t count) {
    const auto refuse = [count] {
        throw_bad_input(
            fmt::format("Memory does not suffice for {} elements of {} bytes; make the problem smaller.",
                        count, sizeof(T)));
    };
    try {
        return std::vector<T>(static_cast<std::size_t>(count));
    } catch (const std::bad_alloc&) {
        refuse();
    } catch (const std::length_error&) {
        refuse();
    }
    return {};
}

/// Throws Error unless `data` has matrix_length(shape, operand) elements.
template <class T>
void require_length(const GemmShape& shape, Operand operand, std::span<T> data) {
    const std::int64_t expected = matrix_length(shape, operand);
    if (static_cast<std::int64_t>(data.size()) != expected) {
        throw_bad_input(fmt::format("Operand {} has {} elements; {} of shape {} has {}.",
                                    "ABC"[static_cast<int>(operand)], data.size(),
                                    "ABC"[static_cast<int>(operand)], shape_text(shape), expected));
    }
}

} // namespace tune_gemm
