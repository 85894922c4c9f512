// Two ways to tell the compiler what the code shall become.
#pragma once
#include <utility>

namespace tune_gemm::simd {

/// A number known while compiling, handed to a function as an argument.
template <int value_>
struct Index {
    static constexpr int value = value_;
};

template <class Body, int... values>
[[gnu::always_inline]] inline void unroll(Body& body, std::integer_sequence<int, values...>) noexcept {
    (body(Index<values>{}), ...);
}

/// body(Index<0>{}), body(Index<1>{}), .. body(Index<count - 1>{}). An array that is indexed by nothing else
/// becomes registers, whatever the compiler thinks of the size of the loop.
template <int count, class Body>
[[gnu::always_inline]] inline void unrolled(Body body) noexcept {
    unroll(body, std::make_integer_sequence<int, count>{});
}

/// The same number, from a place that the compiler cannot see: it is kept in a register instead of being
/// formed anew, compared with special cases or turned into many pointers.
template <class Number>
[[gnu::always_inline]] inline Number hidden(Number number) noexcept {
    __asm__("" : "+r"(number));
    return number;
}

} // namespace tune_gemm::simd
