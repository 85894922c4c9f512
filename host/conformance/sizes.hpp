// The sizes at which checks run, derived from what a kernel says of itself.
#pragma once
#include "conformance/check.hpp"
#include "conformance/tile_rig.hpp"

#include <cstdint>
#include <vector>

namespace tune_gemm::host {

struct Sizes {
    std::vector<std::int64_t> m, n, k; ///< ascending

    std::int64_t count() const noexcept { return static_cast<std::int64_t>(m.size() * n.size() * k.size()); }
    std::int64_t most_m() const noexcept { return m.back(); }
    std::int64_t most_n() const noexcept { return n.back(); }
    std::int64_t most_k() const noexcept { return k.back(); }
};

/// Every m and n of a fixed tile; of a free one all up to 8, and those around powers of two up to its
/// maximum; of a whole-gemm kernel likewise up to 65. k: 1, 2, 3 and the edges of the unrolling.
Sizes usual_sizes(const CheckContext&);
/// The least, the largest, and those next to them.
Sizes edge_sizes(const CheckContext&);
/// Every k from 0 to four times the unrolling and 3, but at least to 19, since a kernel may unroll without
/// saying so.
std::vector<std::int64_t> tail_depths(std::int64_t unroll);

} // namespace tune_gemm::host
