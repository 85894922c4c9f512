// Which candidates a kernel is tried with when none are given.
#pragma once
#include <tune_gemm/candidate.hpp>
#include <tune_gemm/catalogue.hpp>

#include <vector>

namespace tune_gemm::host {

/// The kernels of the default grids: `scalar` and `scalar_f64`, for f32 `scalar_f32` (and `auto` when it
/// means one of them).
bool has_default_grid(const KernelInfo&) noexcept;

/// The default grid of its type for its kernels. For any other tile kernel, made from its constraints: for
/// each tile, mc and nc the multiples of mr and nr next to 32, 64 and 128, kc in {32, 64, 128, 256}
/// (multiples of kr), the tile's own blocks, every packing that its access forms allow, both loop orders; all
/// with workspace, compute. A free tile is tried at mr, nr in {2, 4, 8}. For a whole-gemm kernel its one
/// candidate.
std::vector<GemmCandidate> space_of(const KernelInfo&);

} // namespace tune_gemm::host
