// One tile of a kernel on operands of its own that stay in the nearest cache: what a tile can do at best.
#pragma once
#include <tune_gemm/buffer.hpp>
#include <tune_gemm/catalogue.hpp>

#include <cstdint>
#include <string>

namespace tune_gemm::host {

class TileCall {
  public:
    /// The kernel and its tile are loaded in this process. A and B are packed where the tile takes them so,
    /// else in place, as is C; whole tiles of m x n. Throws Error (unavailable) for element types other than
    /// f64 and f32.
    TileCall(const KernelInfo&, const TileInfo&, std::int64_t m, std::int64_t n, std::int64_t k,
             bool accumulate);

    /// Calls it once on whole numbers, of which every sum is exact in any order and rounding, and compares.
    /// Afterwards the operands are zeros again. Returns what is wrong, as a sentence; empty when nothing is.
    std::string judge();
    /// One call on zeros, which are as fast as anything and stay zeros however often C is added to.
    void operator()() const noexcept { run_(kernel_, &args_); }

    double flop() const noexcept {
        return 2.0 * static_cast<double>(args_.m) * static_cast<double>(args_.n) *
               static_cast<double>(args_.k);
    }
    /// "6x8"
    std::string name() const;
    /// The function that is called: what the tile's `select` gave, or its `run`.
    tg_tile_run function() const noexcept { return run_; }

  private:
    template <class T>
    std::string judge_typed();

    const tg_kernel* kernel_;
    tg_dtype dtype_;
    std::int64_t kr_;
    bool packed_a_, packed_b_;
    Buffer operands_;
    tg_tile_args args_{};
    tg_tile_run run_ = nullptr;
};

/// The greatest k, at most 256, for which panels of m and n strips and the tile of C take three quarters of
/// `l1_bytes`; a multiple of 8 where that is possible.
std::int64_t depth_within(std::int64_t l1_bytes, std::int64_t m, std::int64_t n,
                          std::int64_t element_size) noexcept;

} // namespace tune_gemm::host
