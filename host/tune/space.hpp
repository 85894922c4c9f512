// Which candidates a kernel is tried with when none are given.
#pragma once
#include <tune_gemm/cache_model.hpp>
#include <tune_gemm/candidate.hpp>
#include <tune_gemm/catalogue.hpp>
#include <tune_gemm/shape.hpp>

#include <cstdint>
#include <vector>

namespace tune_gemm::host {

/// The kernels of the default grids: `scalar` and `scalar_f64`, for f32 `scalar_f32` (and `auto` when it
/// means one of them). Their space is the same for all shapes.
bool has_default_grid(const KernelInfo&) noexcept;

/// What the cache model would run each tile with, best first: one candidate for a tile that serves the shape
/// (a free tile is tried at mr, nr in {2, 4, 8}). For a whole-gemm kernel its one candidate.
std::vector<GemmCandidate> proposals_of(const KernelInfo&, const GemmShape&, const CacheSizes&,
                                        std::int64_t limit);

/// The default grid of its type for its kernels; for a whole-gemm kernel its one candidate. For any other
/// kernel proposals_of, and after them what lies around: for each tile and each packing that serves, the
/// model's blocks; from these mc, nc or kc cut into twice or half as many, kc and nc exchanged for each
/// other, the other loop order, and the tile's own blocks. Nothing is cut below 32, all of these
/// are within `limit`, and no id comes twice. A tile that no packing serves, or none within the limit, is
/// listed once, so that it is counted among what is not valid, with its reason.
std::vector<GemmCandidate> space_of(const KernelInfo&, const GemmShape&, const CacheSizes&,
                                    std::int64_t limit);

} // namespace tune_gemm::host
