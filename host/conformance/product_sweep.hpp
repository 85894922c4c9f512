// Whole products swept over sizes, blocks, layouts and scalars: through the driver for a tile, by its own run
// for a whole-gemm kernel.
#pragma once
#include "conformance/product_rig.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace tune_gemm::host {

/// Makes numbers and expectations for the products of one check, and runs them.
template <class T>
class ProductSweep {
  public:
    /// For up to `batch` products of up to m x n x k.
    ProductSweep(const CheckContext&, Tally&, std::int64_t m, std::int64_t n, std::int64_t k,
                 std::int64_t batch, std::int64_t workspace);

    /// Plans and runs the product; false when the kernel or the driver refuses it. `product` has its problem,
    /// candidate and recipe set.
    bool run(const ProductCase& product);
    /// The same for a product whose plan is the one that was run last: with other numbers, placement and
    /// poison.
    void run_again(const ProductCase& product);
    void finish() const { rig_.finish(); }
    ProductRig<T>& rig() noexcept { return rig_; }

  private:
    void fill_numbers(const ProductCase&);

    const CheckContext& context_;
    Tally& tally_;
    ProductRig<T> rig_;
    std::vector<Numbers<T>> numbers_;
    std::vector<Expectation<T>> expected_;
};

/// A register tile and cache blocks that a check uses: small, so that edges are crossed cheaply.
struct Blocking {
    std::int64_t mr, nr, mc, nc, kc;
    bool edges_only = false; ///< too large for many sizes
};
/// Those for a tile: two of a fixed one; for a free one several register tiles, among them 1x1, 3x5, and its
/// largest.
std::vector<Blocking> blockings_for(const CheckContext&);
/// A candidate of the context's kernel; for a whole-gemm kernel its only one, whatever the blocking.
GemmCandidate candidate_for(const CheckContext&, const Blocking&, LoopOrder, Packing);
/// Bytes of workspace that these blocks can ask for, slack for alignment included.
std::int64_t workspace_room(const CheckContext&, const std::vector<Blocking>&);

/// m, n, k at block - 1, block, block + 1 and 2 block + 1, in both loop orders and all packings.
template <class T>
void sweep_blocks(const CheckContext&, Tally&);
/// The eight layouts, with tight and padded leading dimensions, batches of one and three, some sharing an
/// operand.
template <class T>
void sweep_layouts(const CheckContext&, Tally&);
/// Every combination of small sizes of m, n and k.
template <class T>
void sweep_sizes(const CheckContext&, Tally&);
/// alpha and beta.
template <class T>
void sweep_scalars(const CheckContext&, Tally&);
/// Workspace of exactly the size declared, at both placements, with everything that it may hold before.
template <class T>
void sweep_workspace(const CheckContext&, Tally&);
/// One plan run several times, each with the workspace elsewhere, scrambled, and with other data.
template <class T>
void sweep_moving_workspace(const CheckContext&, Tally&);

} // namespace tune_gemm::host
