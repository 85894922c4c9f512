// Patches for small products whose A is dense: of one depth and one stride, so that nothing is counted.
#pragma once
#include "patch.hpp"

namespace tune_gemm::simd {

/// What patch computes, for calls with this k whose rows of A lie one behind the other (rs_a = k, cs_a = 1):
/// all addresses of A are one register and a number known while compiling.
template <class V, int rows, int vectors, Edge edge, int depth>
[[gnu::flatten]] inline void small_product(const tg_tile_args* args) noexcept {
    using T = typename V::Element;
    const RowAccess<V, vectors, edge> access(*args);
    const std::uintptr_t a = reinterpret_cast<std::uintptr_t>(args->a);
    std::uintptr_t b = reinterpret_cast<std::uintptr_t>(args->b);
    const std::size_t step_b = static_cast<std::size_t>(args->rs_b) * sizeof(T);
    Sums<V, rows, vectors, edge> sums(*args, access);
    unrolled<depth>([&](auto l) {
        sums.add_products([&](auto i) { return reinterpret_cast<const T*>(a) + (i.value * depth + l.value); },
                          reinterpret_cast<const T*>(b), access);
        b = hidden(b + step_b);
    });
    sums.store(*hidden(args), access);
}

/// Serves every call that patch serves, and those that it is made for faster.
template <class V, int rows, int vectors, Edge edge, int depth>
void small_patch(const tg_kernel* kernel, const tg_tile_args* args) noexcept {
    if (args->k == depth && args->cs_a == 1 && args->rs_a == depth)
        small_product<V, rows, vectors, edge, depth>(args);
    else
        patch<V, rows, vectors, edge>(kernel, args);
}

/// A patch for calls with this m, n and k whose A is dense.
struct Small {
    int m, n, k;
    tg_tile_run run;
};

/// Null where there is none.
template <int count>
tg_tile_run find_small(const Small (&list)[count], const tg_tile_args& args) noexcept {
    for (const Small& small : list)
        if (args.m == small.m && args.n == small.n && args.k == small.k && args.cs_a == 1 &&
            args.rs_a == small.k)
            return small.run;
    return nullptr;
}

} // namespace tune_gemm::simd
