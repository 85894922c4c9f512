// Numbers that show which operations were carried out, and in which order.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>

namespace tune_gemm::test {

using Random = std::mt19937_64;

/// 0 <= number < count.
inline std::int64_t below(Random& random, std::int64_t count) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(count));
}

/// Mostly numbers of like size with full significands, whose sums are rounded at every step; some huge, some
/// tiny, subnormal or signed zeros, some that cancel. With `infinite`, infinities and NaNs besides.
template <class T>
T awkward(Random& random, bool infinite) {
    const T full = static_cast<T>(static_cast<double>(random() >> 11) * 0x1p-53);
    const T sign = random() % 2 == 0 ? T(1) : T(-1);
    const int far = sizeof(T) == 8 ? 200 : 30;
    switch (below(random, infinite ? 64 : 60)) {
    case 0:
        return sign * std::ldexp(full, far);
    case 1:
        return sign * std::ldexp(full, -far);
    case 2:
        return sign * std::numeric_limits<T>::denorm_min() * static_cast<T>(below(random, 1000));
    case 3:
        return sign * T(0);
    case 4:
        return sign;
    case 60:
        return sign * std::numeric_limits<T>::infinity();
    case 61:
        return std::numeric_limits<T>::quiet_NaN();
    default:
        return sign * full;
    }
}

/// -0 and +0 differ, and all NaNs are equal.
template <class T>
bool same_bits(T x, T y) {
    return (std::isnan(x) && std::isnan(y)) || std::memcmp(&x, &y, sizeof x) == 0;
}

} // namespace tune_gemm::test
