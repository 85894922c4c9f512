// Reading structs that cross the plugin boundary.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>

namespace tune_gemm {

/// A copy of a plugin's struct in which fields that its author did not know are zero.
template <class S>
S read_struct(const S* from) noexcept {
    S own{};
    std::memcpy(&own, from, std::min<std::size_t>(from->struct_size, sizeof own));
    return own;
}

} // namespace tune_gemm
