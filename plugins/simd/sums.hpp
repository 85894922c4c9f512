// A patch of C in registers.
#pragma once
#include <tune_gemm/abi.h>

#include "rows_of_c.hpp"
#include "unrolled.hpp"

namespace tune_gemm::simd {

/// Whether the last vector of a row is whole.
enum class Edge : bool { whole, masked };

/// Loads and stores the vectors of rows that may end within the last one.
template <class V, int vectors, Edge edge>
class RowAccess {
    using T = typename V::Element;
    using Register = typename V::Register;
    static constexpr int last = vectors - 1;

  public:
    [[gnu::always_inline]] explicit RowAccess(const tg_tile_args& args) noexcept
        : mask_(V::first(edge == Edge::masked ? static_cast<int>(args.n) - last * V::lanes : V::lanes)) {}

    template <int v>
    [[gnu::always_inline]] Register load(const T* row, Index<v>) const noexcept {
        if constexpr (edge == Edge::masked && v == last)
            return V::load(row + v * V::lanes, mask_);
        else
            return V::load(row + v * V::lanes);
    }
    template <int v>
    [[gnu::always_inline]] void store(T* row, Index<v>, Register value) const noexcept {
        if constexpr (edge == Edge::masked && v == last)
            V::store(row + v * V::lanes, mask_, value);
        else
            V::store(row + v * V::lanes, value);
    }

  private:
    typename V::Mask mask_;
};

/// rows x vectors sums, from zero or from the C that is there.
template <class V, int rows, int vectors, Edge edge>
class Sums {
    using T = typename V::Element;
    using Register = typename V::Register;
    using Access = RowAccess<V, vectors, edge>;

  public:
    [[gnu::always_inline]] Sums(const tg_tile_args& args, const Access& access) noexcept {
        if ((args.flags & TG_ACCUMULATE) != 0) {
            RowsOfC<V> c(args);
            unrolled<rows>([&](auto i) {
                unrolled<vectors>([&](auto v) { sum_[i.value][v.value] = access.load(c.row(), v); });
                c.advance();
            });
        } else {
            unrolled<rows>(
                [&](auto i) { unrolled<vectors>([&](auto v) { sum_[i.value][v.value] = V::zero(); }); });
        }
    }

    /// entry_of_a(i) gives the address of row i of a column of A. The shorter side waits in registers, the
    /// longer side passes by.
    template <class EntryOfA>
    [[gnu::always_inline]] void add_products(EntryOfA entry_of_a, const T* row_of_b,
                                             const Access& access) noexcept {
        if constexpr (vectors <= rows) {
            Register row[vectors];
            unrolled<vectors>([&](auto v) { row[v.value] = access.load(row_of_b, v); });
            unrolled<rows>([&](auto i) {
                const Register entry = V::spread(entry_of_a(i));
                unrolled<vectors>([&](auto v) { add<i.value, v.value>(entry, row[v.value]); });
            });
        } else {
            Register column[rows];
            unrolled<rows>([&](auto i) { column[i.value] = V::spread(entry_of_a(i)); });
            unrolled<vectors>([&](auto v) {
                const Register part = access.load(row_of_b, v);
                unrolled<rows>([&](auto i) { add<i.value, v.value>(column[i.value], part); });
            });
        }
    }

    [[gnu::always_inline]] void store(const tg_tile_args& args, const Access& access) const noexcept {
        RowsOfC<V> c(args);
        unrolled<rows>([&](auto i) {
            unrolled<vectors>([&](auto v) { access.store(c.row(), v, sum_[i.value][v.value]); });
            c.advance();
        });
    }

  private:
    template <int i, int v>
    [[gnu::always_inline]] void add(const Register& x, const Register& y) noexcept {
        // An entry of A that is used once is spread by the multiplication itself.
        if constexpr (vectors == 1)
            sum_[i][v] = V::multiply_add(x, y, sum_[i][v]);
        else
            sum_[i][v] = V::multiply_add_in_place(x, y, sum_[i][v]);
    }

    Register sum_[rows][vectors];
};

} // namespace tune_gemm::simd
