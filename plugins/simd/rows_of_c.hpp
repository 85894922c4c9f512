// The rows of C, one after the other.
#pragma once
#include <tune_gemm/abi.h>

#include "unrolled.hpp"

#include <cstddef>
#include <cstdint>

namespace tune_gemm::simd {

/// Starts at row 0. Only rows that exist are ever asked for.
template <class V>
class RowsOfC {
    using T = typename V::Element;

  public:
    [[gnu::always_inline]] explicit RowsOfC(const tg_tile_args& args) noexcept
        : row_(reinterpret_cast<std::uintptr_t>(args.c)),
          step_(static_cast<std::size_t>(args.rs_c) * sizeof(T)) {}
    [[gnu::always_inline]] T* row() const noexcept { return reinterpret_cast<T*>(row_); }
    [[gnu::always_inline]] void advance() noexcept { row_ = hidden(row_ + step_); }

  private:
    std::uintptr_t row_;
    std::size_t step_;
};

} // namespace tune_gemm::simd
