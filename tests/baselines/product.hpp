// One product on strided memory, judged entry by entry against the reference.
#pragma once
#include "baselines.hpp"

#include <tune_gemm/shape.hpp>

#include <cstdint>
#include <string>

namespace tune_gemm::baselines_test {

struct Product {
    std::int64_t m = 0, n = 0, k = 0, batch = 1;
    Strides a{}, b{}, c{}; ///< in elements; rows and columns may have any sign
    double alpha = 1, beta = 0;
    unsigned threads = 1;
};

/// One of the eight layouts (bit 0: A, 1: B, 2: C; set: by columns), with `pad` elements between neighbouring
/// lines and between matrices.
Product product_of(std::int64_t m, std::int64_t n, std::int64_t k, int layouts, std::int64_t pad,
                   std::int64_t batch = 1);
/// With every field set, and scalars of type T that live as long as this object.
template <class T>
struct Problem {
    explicit Problem(const Product&);
    Problem(const Problem&) = delete;
    Problem& operator=(const Problem&) = delete;
    T alpha, beta;
    tg_problem problem;
};

struct Verdict {
    tg_status status = TG_OK; ///< of prepare, or of run
    std::string sentence;     ///< the plugin's, or what is wrong with the result; empty for a right one
};
/// Plans and runs the product and compares all of C, padding included. What must not be read holds NaN: C
/// with beta = 0, A and B with alpha = 0.
Verdict multiply(const Baseline&, const Product&);

std::string text_of(const Product&);

} // namespace tune_gemm::baselines_test
