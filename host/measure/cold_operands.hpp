// Operands that the caches have forgotten by the time they are used again: copies enough to fill twice the
// last-level cache.
#pragma once
#include "measure/sampler.hpp"

#include <tune_gemm/buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tune_gemm::host {

/// Bytes of this processor's last-level cache; 32 MiB where it is not known.
std::int64_t displaced_cache_bytes();

class ColdOperands {
  public:
    ColdOperands() = default;
    /// Copies of both, each aligned to 64 bytes, together at least twice the last-level cache, but at most
    /// max_pairs.
    ColdOperands(std::span<const std::byte> a, std::span<const std::byte> b,
                 std::int64_t cache_bytes = displaced_cache_bytes());
    std::span<const OperandPair> pairs() const noexcept { return pairs_; }

    static constexpr std::int64_t max_pairs = 16384;

  private:
    Buffer copies_;
    std::vector<OperandPair> pairs_;
};

} // namespace tune_gemm::host
