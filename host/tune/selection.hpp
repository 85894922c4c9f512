// From the candidates asked for to those that are measured: what is not valid is dropped and counted by
// reason, and candidates that come to the same loop, tile, blocks, packing, order, allocation and timing are
// one.
#pragma once
#include <tune_gemm/candidate.hpp>
#include <tune_gemm/catalogue.hpp>
#include <tune_gemm/shape.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tune_gemm::host {

/// A candidate that is measured, for itself and for those that share its result.
struct Distinct {
    GemmCandidate candidate;        ///< its kernel named, never `auto`
    std::string id;                 ///< of `candidate`
    std::vector<std::string> asked; ///< the ids as they were asked for, in their order, each once
    std::int64_t workspace_bytes = 0;
    ArithmeticClass arithmetic;
    GemmShape abridged; ///< of the shape it is tuned at; at the neighbours of this it is validated
};

/// The shape with no more than two blocks along each extent, the last as it was, and two products of a batch:
/// what is first and what is last, the tails, and the edge between two blocks are the same, and ten products
/// of a large shape would take longer than all else. As it is where the kernel does not tell its blocks.
GemmShape abridged_shape(const GemmShape&, const GemmCandidate&, const KernelInfo&);

/// Candidates dropped for one field's sake.
struct Dropped {
    std::string field;
    std::int64_t count = 0;
    std::string example, reason; ///< the id of the first, and what is said of it
};

struct Selection {
    std::int64_t asked = 0, valid = 0;
    std::vector<Distinct> distinct; ///< in the order in which they were asked for
    std::vector<Dropped> dropped;   ///< most frequent first
};

/// Where it is validated before it is timed at `shape`: there, and at the neighbours (validation_shapes) of
/// the abridged shape.
std::vector<GemmShape> shapes_to_validate(const Distinct&, const GemmShape&);

/// Judges every candidate at the shape, within `limit` bytes of workspace.
Selection select_candidates(std::span<const GemmCandidate>, const GemmShape&, std::int64_t limit,
                            const Catalogue&);
/// "297 of 486 are not valid: workspace_bytes 297 (first: ID: reason)"; empty when none was dropped.
std::string dropped_text(const Selection&);

/// Throws Error (bad_input) with two ids when the candidates are of more than one timing scope: times of
/// different scopes are never ranked against each other.
void require_one_timing_scope(std::span<const GemmCandidate>);

} // namespace tune_gemm::host
