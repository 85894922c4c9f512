// The products and candidates that the checks of plans compare.
#pragma once
#include "conformance/check.hpp"

#include <tune_gemm/candidate.hpp>
#include <tune_gemm/problem.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tune_gemm::host {

std::int64_t up_to_multiple(std::int64_t value, std::int64_t step) noexcept;

/// What the plans of one check choose from.
struct Choices {
    std::int64_t m = 19, n = 23, k = 37; ///< of the product: several tiles and blocks
    std::vector<GemmCandidate> candidates;
};

/// The index of the context's tile; none for a whole-gemm kernel.
std::vector<std::size_t> tiles_of(const CheckContext&);
/// Extents that leave a remainder in every direction, and a candidate whose blocks they cross. `tile` is null
/// for a whole-gemm kernel.
Choices base_choices(const CheckContext&, const TileInfo* tile);
/// Layouts (0 to 7), alpha and beta of a check's products by turns.
GemmProblem problem_for(const CheckContext&, const Choices&, int layouts);

} // namespace tune_gemm::host
