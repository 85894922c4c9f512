// One product through the blocked driver, compared with the fused reference bit for bit.
#pragma once
#include "strided.hpp"

#include <tune_gemm/blocked.hpp>
#include <tune_gemm/candidate.hpp>

#include <cstdint>
#include <string>

namespace tune_gemm::test {

struct Product {
    std::int64_t m = 1, n = 1, k = 1, batch = 1;
    Lie lie_a = Lie::rows, lie_b = Lie::rows, lie_c = Lie::rows;
    double alpha = 1, beta = 0;
    bool infinite = false; ///< with infinities and NaNs among the data
    std::uint64_t seed = 0;
    GemmCandidate candidate{};
    /// How threads share it, however little there is to do: whether they share B, and that in stripes, and
    /// whether a unit is a tile or all rows, all columns.
    unsigned threads = 1;
    bool shares_b = false, in_stripes = false, all_rows = false, all_columns = false;
};

enum class Verdict { equal, refused, wrong };
struct Finding {
    Verdict verdict;
    std::string what; ///< the product, and why it was refused or where it is wrong
};

/// Computes the product with the subject's kernel and compares every entry, and what lies between.
template <class T>
Finding compute(const Product&);

} // namespace tune_gemm::test
