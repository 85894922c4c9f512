// Which entries of a large C are computed again.
#pragma once
#include <tune_gemm/candidate.hpp>
#include <tune_gemm/shape.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tune_gemm {

struct Entry {
    std::int64_t batch, i, j;
    auto operator<=>(const Entry&) const = default;
};

/// Entries of C for which a blocked product can go wrong in its own way, each once and in order: the corners;
/// every pair of residues modulo mr and nr; both sides of every block edge in m and in n; besides, the
/// residues in the last tile, and in the narrower last tile of a block that its tile does not divide; and any
/// entries, so that 512 are drawn at least. Rows and columns that a rule leaves open, and batches, come from
/// `seed`. The driver may exchange the operands, so m meets nr and nc as well. Where all that is more than
/// `most`, a seeded part of it: corners first, then pairs of residues and edges, then the rest. Precondition:
/// positive extents, tile and blocks.
std::vector<Entry> sample_entries(const GemmShape&, const GemmCandidate&, std::uint64_t seed,
                                  std::size_t most);

} // namespace tune_gemm
