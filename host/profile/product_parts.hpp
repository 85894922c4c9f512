// A blocked product with parts of it left out: what is missing then is what the part takes. So nothing in the
// driver has to look at a clock, and no clock has to be looked at some thousand times a product.
#pragma once
#include <tune_gemm/blocked.hpp>
#include <tune_gemm/buffer.hpp>

#include "profile/profile.hpp"

#include <cstdint>
#include <optional>

namespace tune_gemm::host {

class ProductParts {
  public:
    /// The operands outlive it. C := A*B is computed into memory of its own.
    ProductParts(const BlockedPlan&, const void* a, const void* b, std::int64_t c_bytes);

    void whole() const { run_blocked(plan_, operands_); }
    /// Without calls on less than a whole tile.
    void without_edges() const { run_blocked(without_edges_, operands_); }
    /// Without any call of the tile: packing, loops, C.
    void without_tiles() const { run_blocked(without_tiles_, operands_); }
    /// Without calls of the tile, and with this operand of the user packed ahead, where it is packed at all.
    void without_tiles_nor_packing(Operand) const;

    /// From the times of these five, in ns.
    TimeShares shares(double whole, double without_edges, double without_tiles, double without_packing_a,
                      double without_packing_b) const noexcept;
    /// Which part of the multiply-adds falls to edges; 0 where there are none.
    double edge_share_of_work() const noexcept;
    /// Calls of the tile in one matrix and one block in k.
    std::int64_t tile_calls() const noexcept;

  private:
    bool tile_is_cut() const noexcept;

    BlockedPlan plan_, without_edges_, without_tiles_;
    Buffer c_, workspace_;
    std::optional<PackedOperand> packed_a_, packed_b_;
    BlockedOperands operands_;
};

} // namespace tune_gemm::host
