// Helpers for authors of plugins in C++20; needs abi.h and the standard library, no macros.
//
// The plugin object stays visible as a plain literal in the author's file:
//
//     constinit const tg_plugin tune_gemm_plugin_v1 = { .magic = TG_MAGIC, ... };
//
// What is here saves typing around it: the arguments of a tile with their element type (TileView), and the
// plainest correct tile (portable_tile), to start from and to fall back on.
#ifndef TUNE_GEMM_PLUGIN_HPP
#define TUNE_GEMM_PLUGIN_HPP
#include <tune_gemm/abi.h>

#include <cstdint>

namespace tune_gemm::plugin {

/// The number of a C++ element type in the interface.
template <class T>
inline constexpr tg_dtype dtype_of = 0;
template <>
inline constexpr tg_dtype dtype_of<float> = TG_F32;
template <>
inline constexpr tg_dtype dtype_of<double> = TG_F64;

/// The arguments of one tile call as typed elements: a(i, l), b(l, j) and c(i, j) for
/// 0 <= i < m, 0 <= j < n, 0 <= l < k. Valid for as long as the arguments are. For kr <= 1.
template <class T>
class TileView {
  public:
    explicit TileView(const tg_tile_args& args) noexcept
        : args_(args), a_(static_cast<const T*>(args.a)), b_(static_cast<const T*>(args.b)),
          c_(static_cast<T*>(args.c)) {}

    std::int64_t m() const noexcept { return args_.m; }
    std::int64_t n() const noexcept { return args_.n; }
    std::int64_t k() const noexcept { return args_.k; }
    /// True when the tile adds to the C that is there; false when C is only written.
    bool accumulates() const noexcept { return (args_.flags & TG_ACCUMULATE) != 0; }

    const T& a(std::int64_t i, std::int64_t l) const noexcept { return a_[i * args_.rs_a + l * args_.cs_a]; }
    const T& b(std::int64_t l, std::int64_t j) const noexcept { return b_[l * args_.rs_b + j * args_.cs_b]; }
    T& c(std::int64_t i, std::int64_t j) const noexcept { return c_[i * args_.rs_c + j * args_.cs_c]; }

  private:
    const tg_tile_args& args_;
    const T* a_;
    const T* b_;
    T* c_;
};

/// The plainest tile that keeps the contract: any m, n, k and strides; each entry starts from C or from
/// zero and adds a(i,l)*b(l,j) for l = 0, 1, .. k-1, product rounded, then sum rounded. Sequential and
/// two-roundings, provided the file is compiled with -ffp-contract=off and without fast-math.
template <class T>
void portable_tile(const tg_tile_args& args) noexcept {
    const TileView<T> tile(args);
    for (std::int64_t i = 0; i < tile.m(); ++i) {
        for (std::int64_t j = 0; j < tile.n(); ++j) {
            T sum = tile.accumulates() ? tile.c(i, j) : T(0);
            for (std::int64_t l = 0; l < tile.k(); ++l)
                sum += tile.a(i, l) * tile.b(l, j);
            tile.c(i, j) = sum;
        }
    }
}

} // namespace tune_gemm::plugin
#endif
