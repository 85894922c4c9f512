// The inner loop of the fast tiles.
//
// A patch is `rows` x `vectors` registers of C, vectorised over n: a row of B is loaded, each entry of a
// column of A is spread over a register, and every pair is multiplied and added. So each entry of C is one
// lane of one register, sums its products in increasing l, one fma each, and never meets another entry. All
// patches, whatever their size, compute the same bits.
//
// V is one kind of register: Element, Register, Mask, lanes, and functions without state (see vector.hpp in
// the folder of each instruction set). Everything here depends on V, so code for one instruction set is never
// shared with another.
#pragma once
#include <tune_gemm/abi.h>

#include "next_tile.hpp"
#include "rows_of_a.hpp"
#include "rows_of_c.hpp"
#include "unrolled.hpp"

#include <cstddef>
#include <cstdint>

namespace tune_gemm::simd {

/// Whether the last vector of a row is whole.
enum class Edge : bool { whole, masked };

template <class V, int rows, int vectors, Edge edge>
[[gnu::flatten]] void patch(const tg_kernel*, const tg_tile_args* args) noexcept {
    using T = typename V::Element;
    using Register = typename V::Register;
    constexpr int last = vectors - 1;
    const typename V::Mask mask =
        V::first(edge == Edge::masked ? static_cast<int>(args->n) - last * V::lanes : V::lanes);

    const auto load = [mask](const T* from, auto v) {
        if constexpr (edge == Edge::masked && v.value == last)
            return V::load(from + v.value * V::lanes, mask);
        else
            return V::load(from + v.value * V::lanes);
    };

    RowsOfA<V, rows> a(*args);
    std::uintptr_t b = reinterpret_cast<std::uintptr_t>(args->b);
    const std::size_t step_a = hidden(static_cast<std::size_t>(args->cs_a) * sizeof(T));
    const std::size_t step_b = hidden(static_cast<std::size_t>(args->rs_b) * sizeof(T));

    Register sum[rows][vectors];
    if ((args->flags & TG_ACCUMULATE) != 0) {
        RowsOfC<V> c(*args);
        unrolled<rows>([&](auto i) {
            unrolled<vectors>([&](auto v) { sum[i.value][v.value] = load(c.row(), v); });
            c.advance();
        });
    } else {
        unrolled<rows>(
            [&](auto i) { unrolled<vectors>([&](auto v) { sum[i.value][v.value] = V::zero(); }); });
    }

    const auto add_products = [&] {
        const T* const row_of_b = reinterpret_cast<const T*>(b);
        // The shorter side waits in registers, the longer side passes by.
        if constexpr (vectors <= rows) {
            Register row[vectors];
            unrolled<vectors>([&](auto v) { row[v.value] = load(row_of_b, v); });
            unrolled<rows>([&](auto i) {
                const Register entry = V::spread(a.template at<i.value>());
                unrolled<vectors>([&](auto v) {
                    sum[i.value][v.value] = V::multiply_add(entry, row[v.value], sum[i.value][v.value]);
                });
            });
        } else {
            Register column[rows];
            unrolled<rows>([&](auto i) { column[i.value] = V::spread(a.template at<i.value>()); });
            unrolled<vectors>([&](auto v) {
                const Register part = load(row_of_b, v);
                unrolled<rows>([&](auto i) {
                    sum[i.value][v.value] = V::multiply_add(column[i.value], part, sum[i.value][v.value]);
                });
            });
        }
        a.advance(step_a);
        b = hidden(b + step_b);
    };
    NextTile<V, rows, vectors> next(*args);
    for (std::int64_t k = args->k; k > 0;) {
        std::int64_t count = k;
        if (next.has_rows_left()) {
            next.fetch_row();
            count = next.spacing;
        }
        k -= count;
        do
            add_products();
        while (--count > 0);
    }

    RowsOfC<V> c(*hidden(args)); // read again, so that nothing of C takes a register in the loop
    unrolled<rows>([&](auto i) {
        unrolled<vectors>([&](auto v) {
            T* const to = c.row() + v.value * V::lanes;
            if constexpr (edge == Edge::masked && v.value == last)
                V::store(to, mask, sum[i.value][v.value]);
            else
                V::store(to, sum[i.value][v.value]);
        });
        c.advance();
    });
}

} // namespace tune_gemm::simd
