// Helpers for authors of plugins in C++20; needs abi.h and the standard library, no macros.
//
// The plugin object stays visible as a plain literal in the author's file:
//
//     constinit const tg_plugin tune_gemm_plugin_v1 = { .magic = TG_MAGIC, ... };
//
// What is here saves typing around it: the arguments of a tile with their element type (TileView), its sums
// in registers with edges of C that are kept to (Sums), the request for a whole product (Product), and the
// plainest correct tile (portable_tile), to start from and to fall back on. Everything is inlined into its
// caller and compiled for the instructions that your file is compiled for.
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
    /// All of an mr x nr tile, each row of C in one piece: what vectors can load and store as they are.
    bool is_whole(std::int64_t mr, std::int64_t nr) const noexcept {
        return args_.m == mr && args_.n == nr && args_.cs_c == 1;
    }

  private:
    const tg_tile_args& args_;
    const T* a_;
    const T* b_;
    T* c_;
};

/// A few neighbouring entries of a row, added and multiplied side by side: Lanes<double, 32>::Vector takes
/// the place of __m256d, and + and * work on it. 16 bytes are a register on every 64-bit processor, so no
/// flag is needed for them; 32 want -mavx, 64 -mavx512f.
template <class T, int bytes = 16>
struct Lanes {
    using Vector [[gnu::vector_size(bytes)]] = T;
    static constexpr int count = bytes / int{sizeof(T)};
};

/// The mr x nr sums of one call in registers, `at[i][v]` being a row's v-th vector. They begin as zeros or,
/// for a call that accumulates, as C; `store` puts them into C. At an edge only m x n entries of C are
/// touched: the other sums are zeros at first and dropped at the end, so your loop may take the whole tile
/// wherever it may read whole rows of A and B. In a packed panel it may: past m and n there are zeros.
template <class T, int mr, int nr, int bytes = 16>
struct Sums {
    using Vector = typename Lanes<T, bytes>::Vector;
    static constexpr int lanes = Lanes<T, bytes>::count, vectors = nr / lanes;
    static_assert(nr % lanes == 0, "nr is a multiple of the number of lanes");
    Vector at[mr][vectors] = {};

    [[gnu::always_inline]] explicit Sums(const TileView<T>& tile) noexcept {
        if (!tile.accumulates())
            return;
        T edge[mr][nr] = {};
        const bool whole = tile.is_whole(mr, nr);
        for (std::int64_t i = 0; !whole && i < tile.m(); ++i)
            for (std::int64_t j = 0; j < tile.n(); ++j)
                edge[i][j] = tile.c(i, j);
#pragma GCC unroll 64
        for (int i = 0; i < mr; ++i)
            __builtin_memcpy(at[i], whole ? &tile.c(i, 0) : edge[i], sizeof at[i]);
    }
    [[gnu::always_inline]] void store(const TileView<T>& tile) const noexcept {
        T edge[mr][nr];
        const bool whole = tile.is_whole(mr, nr);
#pragma GCC unroll 64
        for (int i = 0; i < mr; ++i)
            __builtin_memcpy(whole ? &tile.c(i, 0) : edge[i], at[i], sizeof at[i]);
        for (std::int64_t i = 0; !whole && i < tile.m(); ++i)
            for (std::int64_t j = 0; j < tile.n(); ++j)
                tile.c(i, j) = edge[i][j];
    }
    /// The v-th vector of row l of B, whose nr entries must lie side by side, as in a packed panel.
    [[gnu::always_inline]] static Vector row_of_b(const TileView<T>& tile, std::int64_t l, int v) noexcept {
        Vector row;
        __builtin_memcpy(&row, &tile.b(l, 0) + v * lanes, sizeof row);
        return row;
    }
    /// sum += factor * row with one rounding (TG_FUSED; two are that very expression). Wants -mfma, or each
    /// lane becomes a call.
    [[gnu::always_inline]] static void add_fused(Vector& sum, T factor, const Vector& row) noexcept {
#pragma GCC unroll 16
        for (int j = 0; j < lanes; ++j) {
            if constexpr (sizeof(T) == sizeof(float))
                sum[j] = __builtin_fmaf(factor, row[j], sum[j]);
            else
                sum[j] = __builtin_fma(factor, row[j], sum[j]);
        }
    }
};

/// What a whole product (kind 2) is asked to do, copied in `prepare` for `run`.
template <class T>
struct Product {
    tg_problem problem;
    T alpha, beta;

    explicit Product(const tg_problem& p) noexcept
        : problem(p), alpha(*static_cast<const T*>(p.alpha)), beta(*static_cast<const T*>(p.beta)) {}

    /// Otherwise A and B must not be looked at, and may be null.
    bool reads_inputs() const noexcept { return alpha != T(0) && problem.k > 0; }
    /// beta*C; for beta = 0 without reading it.
    T scaled(const T& c) const noexcept { return beta == T(0) ? T(0) : beta == T(1) ? c : beta * c; }
};

/// Sums `rows` x (`vectors` times a vector) entries of C from (i0, j0) on. The sums stay in registers while l
/// runs outermost: each entry still adds its products in increasing l, one after the other, and no two
/// entries mix, so the bits are those of the textbook loop. unit_b: the strides of B along n are 1.
template <class T, int rows, int vectors, bool unit_b>
inline void portable_patch(const tg_tile_args& args, std::int64_t i0, std::int64_t j0) noexcept {
    constexpr int columns = vectors * Lanes<T>::count;
    const TileView<T> tile(args);
    tg_tile_args patch = args; // of C alone
    patch.m = rows, patch.n = columns, patch.c = &tile.c(i0, j0);
    Sums<T, rows, columns> sum{TileView<T>(patch)};
    const std::int64_t cs_b = unit_b ? 1 : args.cs_b;
    for (std::int64_t l = 0; l < tile.k(); ++l) {
        const T* a = &tile.a(i0, l);
        const T* b = &tile.b(l, j0);
        T row_of_b[columns];
#pragma GCC unroll 8
        for (int j = 0; j < columns; ++j)
            row_of_b[j] = b[j * cs_b];
        typename Lanes<T>::Vector factor[vectors];
        __builtin_memcpy(factor, row_of_b, sizeof factor);
#pragma GCC unroll 8
        for (int i = 0; i < rows; ++i)
#pragma GCC unroll 8
            for (int v = 0; v < vectors; ++v)
                sum.at[i][v] += a[i * args.rs_a] * factor[v];
    }
    sum.store(TileView<T>(patch));
}

/// Rows i0 .. i0+rows-1 of the tile: patches of two vectors, then one, then what is left entry by entry.
template <class T, int rows, bool unit_b>
inline void portable_rows(const tg_tile_args& args, std::int64_t i0) noexcept {
    constexpr int lanes = Lanes<T>::count;
    const TileView<T> tile(args);
    std::int64_t j = 0;
    for (; j + 2 * lanes <= tile.n(); j += 2 * lanes)
        portable_patch<T, rows, 2, unit_b>(args, i0, j);
    for (; j + lanes <= tile.n(); j += lanes)
        portable_patch<T, rows, 1, unit_b>(args, i0, j);
    for (; j < tile.n(); ++j) {
        for (std::int64_t i = i0; i < i0 + rows; ++i) {
            T sum = tile.accumulates() ? tile.c(i, j) : T(0);
            for (std::int64_t l = 0; l < tile.k(); ++l)
                sum += tile.a(i, l) * tile.b(l, j);
            tile.c(i, j) = sum;
        }
    }
}

template <class T, bool unit_b>
void portable_patches(const tg_tile_args& args) noexcept {
    std::int64_t i = 0;
    for (; i + 4 <= args.m; i += 4)
        portable_rows<T, 4, unit_b>(args, i);
    for (; i + 2 <= args.m; i += 2)
        portable_rows<T, 2, unit_b>(args, i);
    for (; i < args.m; ++i)
        portable_rows<T, 1, unit_b>(args, i);
}

/// The same call as C^T = B^T * A^T. A product does not care which factor comes first.
inline tg_tile_args transposed(const tg_tile_args& args) noexcept {
    tg_tile_args t = args;
    t.m = args.n, t.n = args.m;
    t.a = args.b, t.rs_a = args.cs_b, t.cs_a = args.rs_b;
    t.b = args.a, t.rs_b = args.cs_a, t.cs_b = args.rs_a;
    t.rs_c = args.cs_c, t.cs_c = args.rs_c;
    return t;
}

/// A plain tile that keeps the contract: any m, n, k >= 0 and strides, packed panels with kr <= 1; no other
/// flags than the baseline's. Each entry starts from C or from zero and adds a(i,l)*b(l,j) for l = 0, 1, ..
/// k-1, product rounded, then sum rounded. Sequential and two-roundings, provided the file is compiled with
/// -ffp-contract=off and without fast-math. To see what it computes, read the last loop of portable_rows.
template <class T>
void portable_tile(const tg_tile_args& args) noexcept {
    if (args.cs_b == 1)
        portable_patches<T, true>(args);
    else if (args.rs_a == 1)
        portable_patches<T, true>(transposed(args));
    else
        portable_patches<T, false>(args);
}

} // namespace tune_gemm::plugin
#endif
