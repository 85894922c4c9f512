// plugin.hpp: what it offers to authors besides the portable tile.
#include <tune_gemm/plugin.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

using namespace tune_gemm::plugin;

namespace {

constexpr int mr = 3;
template <class T>
constexpr int nr = 2 * Lanes<T>::count;

/// A tile as an author writes it, with one rounding or two.
template <class T, bool fused>
void tile(const tg_tile_args& args) noexcept {
    using TileSums = Sums<T, mr, nr<T>>;
    const TileView<T> view(args);
    TileSums sum(view);
    for (std::int64_t l = 0; l < view.k(); ++l) {
        for (int i = 0; i < mr; ++i) {
            for (int v = 0; v < TileSums::vectors; ++v) {
                const auto row = TileSums::row_of_b(view, l, v);
                if constexpr (fused)
                    TileSums::add_fused(sum.at[i][v], view.a(i, l), row);
                else
                    sum.at[i][v] += view.a(i, l) * row;
            }
        }
    }
    sum.store(view);
}

/// Thirds, so that roundings show.
template <class T>
std::vector<T> thirds(std::int64_t count) {
    std::vector<T> values(static_cast<std::size_t>(count));
    for (std::size_t x = 0; x < values.size(); ++x)
        values[x] = static_cast<T>(static_cast<int>(x * 7 % 19) - 9) / T(3);
    return values;
}

/// One call on packed panels, with C in rows or columns that are wider than the tile; every entry of C is
/// compared, those that do not belong to it too.
template <class T, bool fused>
void call(std::int64_t m, std::int64_t n, bool accumulate, bool by_rows) {
    constexpr std::int64_t k = 5, around = 12, width = nr<T>;
    std::vector<T> a = thirds<T>(mr * k), b = thirds<T>(width * k), c = thirds<T>(around * around);
    for (std::int64_t l = 0; l < k; ++l) { // past m and n a packed panel holds zeros
        for (std::int64_t i = m; i < mr; ++i)
            a[static_cast<std::size_t>(l * mr + i)] = 0;
        for (std::int64_t j = n; j < width; ++j)
            b[static_cast<std::size_t>(l * width + j)] = 0;
    }
    const std::vector<T> before = c;
    const std::int64_t rs_c = by_rows ? around : 1, cs_c = by_rows ? 1 : around;
    tg_tile_args args{};
    args.struct_size = sizeof args;
    args.flags = accumulate ? tg_tile_flags{TG_ACCUMULATE} : 0;
    args.m = m, args.n = n, args.k = k;
    args.a = a.data(), args.b = b.data(), args.c = c.data();
    args.rs_a = 1, args.cs_a = mr, args.rs_b = width, args.cs_b = 1, args.rs_c = rs_c, args.cs_c = cs_c;
    tile<T, fused>(args);
    std::vector<T> expected = before;
    for (std::int64_t i = 0; i < m; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
            T& entry = expected[static_cast<std::size_t>(i * rs_c + j * cs_c)];
            T sum = accumulate ? entry : T(0);
            for (std::int64_t l = 0; l < k; ++l) {
                const T x = a[static_cast<std::size_t>(l * mr + i)],
                        y = b[static_cast<std::size_t>(l * width + j)];
                sum = fused ? std::fma(x, y, sum) : sum + x * y;
            }
            entry = sum;
        }
    }
    CHECK(c == expected);
}

template <class T, bool fused>
void call_all() {
    for (std::int64_t m = 1; m <= mr; ++m)
        for (std::int64_t n = 1; n <= nr<T>; ++n)
            for (const bool accumulate : {false, true})
                for (const bool by_rows : {false, true})
                    call<T, fused>(m, n, accumulate, by_rows);
}

} // namespace

TEST_CASE("Sums touch m x n entries of C and have the bits of the textbook loop, whatever the edge") {
    call_all<double, false>();
    call_all<float, false>();
}

TEST_CASE("add_fused rounds once") {
    call_all<double, true>();
    call_all<float, true>();
}

TEST_CASE("Product keeps the contract of alpha and beta") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    double alpha = 2, beta = 0;
    tg_problem problem{};
    problem.k = 3, problem.alpha = &alpha, problem.beta = &beta;
    CHECK(Product<double>(problem).scaled(nan) == 0); // beta = 0 does not read C
    CHECK(Product<double>(problem).reads_inputs());
    beta = 0.5;
    CHECK(Product<double>(problem).scaled(3) == 1.5);
    beta = 1;
    CHECK(std::signbit(Product<double>(problem).scaled(-0.0)));
    problem.k = 0;
    CHECK(!Product<double>(problem).reads_inputs());
    problem.k = 3, alpha = 0;
    CHECK(!Product<double>(problem).reads_inputs());
}
