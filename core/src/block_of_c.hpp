// Blocks of C: scaled by beta, and staged for tiles that do not take C as it lies.
#pragma once
#include "block_side.hpp"

#include <tune_gemm/shape.hpp>

#include <cstdint>
#include <cstdlib>

namespace tune_gemm {

/// A rows x columns part of C; `entries` is null for none.
template <class T>
struct BlockOfC {
    T* entries = nullptr;
    std::int64_t rows = 0, columns = 0;
    Strides strides{};

    T& operator()(std::int64_t i, std::int64_t j) const noexcept {
        return entries[i * strides.row + j * strides.column];
    }
    /// Calls visit(i, j) for every entry, the smaller stride innermost.
    template <class Visit>
    void for_each_entry(Visit visit) const {
        if (std::abs(strides.column) <= std::abs(strides.row)) {
            for (std::int64_t i = 0; i < rows; ++i)
                for (std::int64_t j = 0; j < columns; ++j)
                    visit(i, j);
        } else {
            for (std::int64_t j = 0; j < columns; ++j)
                for (std::int64_t i = 0; i < rows; ++i)
                    visit(i, j);
        }
    }
};

/// C := beta*C; for beta = 0 without reading it.
template <class T>
void scale(const BlockOfC<T>& c, T beta) {
    if (beta == T(1))
        return;
    if (beta == T(0))
        c.for_each_entry([&](std::int64_t i, std::int64_t j) { c(i, j) = T(0); });
    else
        c.for_each_entry([&](std::int64_t i, std::int64_t j) { c(i, j) *= beta; });
}

/// A place in the workspace that stands for one block of C at a time, in a form that the tile takes.
template <class T>
class Stage {
  public:
    /// `memory` has room for every block, with these strides.
    Stage(T* memory, Strides strides) : memory_(memory), strides_(strides) {}

    /// Makes the stage stand for block `c`, known by its key. When the kernel is going to read it, the stage
    /// takes over beta*C. The block that was there before is written back first.
    BlockOfC<T> hold(const BlockOfC<T>& c, const BlockKey& key, bool is_read, T beta) {
        if (held_.entries != nullptr && key_ == key)
            return staged(c);
        write_back();
        held_ = c;
        key_ = key;
        if (is_read) {
            const BlockOfC<T> to = staged(c);
            c.for_each_entry([&](std::int64_t i, std::int64_t j) { to(i, j) = c(i, j); });
            scale(to, beta);
        }
        return staged(c);
    }
    /// Stores the staged block, if there is one, where it belongs.
    void write_back() {
        if (held_.entries == nullptr)
            return;
        const BlockOfC<T> from = staged(held_);
        held_.for_each_entry([&](std::int64_t i, std::int64_t j) { held_(i, j) = from(i, j); });
        held_.entries = nullptr;
    }

  private:
    BlockOfC<T> staged(const BlockOfC<T>& c) const { return {memory_, c.rows, c.columns, strides_}; }

    T* memory_;
    Strides strides_;
    BlockOfC<T> held_;
    BlockKey key_;
};

} // namespace tune_gemm
