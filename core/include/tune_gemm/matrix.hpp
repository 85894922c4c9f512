// Matrices with reproducible contents.
#pragma once
#include <tune_gemm/shape.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace tune_gemm {

/// rows x columns values in [-1, 1] with three decimals, from a 64-bit linear congruential generator
/// (x' = 6364136223846793005 x + 1442695040888963407 mod 2^64, full period by Hull and Dobell), started at
/// seed XOR 0x9E3779B97F4A7C15; each state after a step gives ((x >> 32) mod 2001)/1000 - 1. The values are
/// generated in row-major order of the logical matrix, then stored in `layout`. Empty for non-positive
/// extents.
std::vector<double> reproducible_matrix(std::uint64_t seed, std::int64_t rows, std::int64_t columns,
                                        Layout layout);

/// All matrices of an operand of `shape`, one after the other, batch b from seed + b.
std::vector<double> reproducible_operand(std::uint64_t seed, const GemmShape& shape, Operand);
/// The f64 values rounded to f32: what is meant by a reproducible matrix in f32.
std::vector<float> to_f32(std::span<const double>);

/// A whole operand copied into row-major order, batch by batch. `data` has matrix_length(shape, operand)
/// elements, else Error. Operand a or b.
std::vector<double> pack_operand(const GemmShape& shape, std::span<const double> data, Operand);
std::vector<float> pack_operand_f32(const GemmShape& shape, std::span<const float> data, Operand);

} // namespace tune_gemm
