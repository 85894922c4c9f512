// The inner loop of the fast tiles.
//
// A patch is `rows` x `vectors` registers of C, vectorised over n: a row of B is loaded, each entry of a
// column of A is spread over a register, and every pair is multiplied and added. So each entry of C is one
// lane of one register, sums its products in increasing l, one fma each, and never meets another entry. All
// patches, whatever their size, compute the same bits.
//
// V is one kind of register: Element, Register, Mask, lanes, and functions without state (see vector.hpp in
// the folder of each instruction set). An iteration takes V::steps steps of k: where two threads of one core
// share its decoders, fewer instructions a step are worth 5 %; with 16 registers, more than two steps at once
// make the compiler put sums into memory. Everything here depends on V, so code for one instruction set is
// never shared with another.
#pragma once
#include <tune_gemm/abi.h>

#include "next_tile.hpp"
#include "rows_of_a.hpp"
#include "sums.hpp"

#include <cstddef>
#include <cstdint>

namespace tune_gemm::simd {

template <class V, int rows, int vectors, Edge edge>
[[gnu::flatten]] void patch(const tg_kernel*, const tg_tile_args* args) noexcept {
    using T = typename V::Element;
    const RowAccess<V, vectors, edge> access(*args);
    RowsOfA<V, rows> a(*args);
    std::uintptr_t b = reinterpret_cast<std::uintptr_t>(args->b);
    const std::size_t step_a = hidden(static_cast<std::size_t>(args->cs_a) * sizeof(T));
    const std::size_t step_b = hidden(static_cast<std::size_t>(args->rs_b) * sizeof(T));
    Sums<V, rows, vectors, edge> sums(*args, access);
    const auto add_products = [&] {
        sums.add_products([&](auto i) { return a.template at<i.value>(); }, reinterpret_cast<const T*>(b),
                          access);
        a.advance(step_a);
        b = hidden(b + step_b);
    };

    const auto add_steps = [&] { unrolled<V::steps>([&](auto) { add_products(); }); };

    std::int64_t k = args->k;
    using Next = NextTile<V, rows, vectors>;
    if (Next::is_worth_it(*args)) {
        k -= Next::spacing * rows;
        Next next(*args);
        for (int row = rows; row > 0; --row) {
            next.fetch_row();
            for (int step = 0; step < Next::spacing; step += V::steps)
                add_steps();
        }
    }
    for (; k >= V::steps; k -= V::steps)
        add_steps();
    for (; k > 0; --k)
        add_products();
    sums.store(*hidden(args), access); // read again, so that nothing of C takes a register in the loop
}

} // namespace tune_gemm::simd
