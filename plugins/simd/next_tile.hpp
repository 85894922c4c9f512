// Fetching ahead what the next tile needs.
#pragma once
#include <tune_gemm/abi.h>

#include "fetch.hpp"
#include "unrolled.hpp"

#include <cstddef>
#include <cstdint>

namespace tune_gemm::simd {

/// A tile that accumulates can do nothing before its C has come from far away, and the hardware does not
/// guess where that is. So while a tile is computed, C of the next one is fetched row by row, and with it the
/// first line of each row of its A (of a packed A: its first lines). The rest of A and B is read in order,
/// which the hardware sees.
template <class V, int rows, int vectors>
class NextTile {
    using T = typename V::Element;

  public:
    /// Steps of k between two rows: time for the lines of one to come before the next are asked for.
    static constexpr int spacing = 4;

    /// Whether somebody says what comes next, and k is long enough for the fetches not to be felt.
    [[gnu::always_inline]] static bool is_worth_it(const tg_tile_args& args) noexcept {
        return args.next_c != nullptr && args.k >= 4 * spacing * rows;
    }

    [[gnu::always_inline]] explicit NextTile(const tg_tile_args& args) noexcept
        : c_(reinterpret_cast<std::uintptr_t>(args.next_c)),
          a_(reinterpret_cast<std::uintptr_t>(args.next_a)),
          step_c_(static_cast<std::size_t>(args.rs_c) * sizeof(T)),
          step_a_(args.rs_a == 1 ? line : static_cast<std::size_t>(args.rs_a) * sizeof(T)) {}

    [[gnu::always_inline]] void fetch_row() noexcept {
        constexpr int bytes = vectors * V::lanes * int{sizeof(T)};
        unrolled<(bytes + line - 1) / line>([&](auto l) { fetch(c_ + l.value * line); });
        fetch(c_ + bytes - 1); // rows of C may begin within a line
        fetch(a_);
        c_ = hidden(c_ + step_c_);
        a_ = hidden(a_ + step_a_);
    }

  private:
    static constexpr int line = 64;

    std::uintptr_t c_, a_;
    std::size_t step_c_, step_a_;
};

} // namespace tune_gemm::simd
