// Whether a candidate may run: in itself, and at a shape. The answer to "no" is why, in words.
#pragma once
#include <tune_gemm/candidate.hpp>
#include <tune_gemm/catalogue.hpp>
#include <tune_gemm/shape.hpp>

#include <cstdint>
#include <string>

namespace tune_gemm {

/// True when valid; else the candidate's (or shape's) field at fault and a sentence with its value.
struct Validity {
    std::string field;
    std::string reason;
    explicit operator bool() const noexcept { return reason.empty(); }
};

/// All block sizes positive; mr <= mc, nr <= nc; a known, usable microkernel_id; a loop order, packing and
/// tile that the kernel declares (a fixed tile: mc a multiple of mr, nc of nr; kr > 1: kc a multiple of kr);
/// amortized_R with R > 0; a prepacked mode only with the packing it needs; workspace_bytes <= limit (bytes,
/// one thread). A whole-gemm kernel has one candidate, 1x1x1:1x1:ID:own:none.
Validity valid_candidate(const GemmCandidate&, std::int64_t limit, const Catalogue& = builtin_catalogue());

/// Besides: positive m, n, k, batch and reuse_count, lengths that fit 64 bits, layouts that the kernel can
/// serve (in place, swapped or staged), and with prepacked modes workspace_bytes + prepacked_bytes <= limit.
Validity candidate_valid_for_shape(const GemmCandidate&, const GemmShape&, std::int64_t limit,
                                   const Catalogue& = builtin_catalogue());

} // namespace tune_gemm
