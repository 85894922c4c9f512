// Operands and references of a worker, made once and kept while there is room: many candidates are judged at
// the same few shapes, and making the operands and the reference costs more than a fast candidate's product.
#pragma once
#include <tune_gemm/buffer.hpp>
#include <tune_gemm/catalogue.hpp>
#include <tune_gemm/shape.hpp>

#include <cstdint>
#include <list>
#include <map>
#include <span>
#include <vector>

namespace tune_gemm::host {

/// A and B of one shape, tight, in their layouts: A from `seed`, B from seed + batch (see
/// reproducible_operand).
template <class T>
class Operands {
  public:
    Operands(const GemmShape&, std::uint64_t seed);

    const GemmShape& shape() const noexcept { return shape_; }
    std::uint64_t seed() const noexcept { return seed_; }
    std::span<const T> a() const noexcept { return view(a_); }
    std::span<const T> b() const noexcept { return view(b_); }
    /// C = A*B with this rounding of the multiply-add, computed on first use. Empty above
    /// full_comparison_limit.
    std::span<const T> reference(tg_muladd);
    /// Elements of C.
    std::int64_t c_length() const { return matrix_length(shape_, Operand::c); }
    /// Bytes that are held.
    std::int64_t bytes() const noexcept;

  private:
    static std::span<const T> view(const Buffer& buffer) noexcept {
        return {reinterpret_cast<const T*>(buffer.bytes().data()), buffer.bytes().size() / sizeof(T)};
    }
    GemmShape shape_;
    std::uint64_t seed_;
    Buffer a_, b_;
    std::map<tg_muladd, std::vector<T>> references_;
};

/// The last used operands, at most `max_bytes` of them together; those asked for last are always there.
template <class T>
class OperandCache {
  public:
    explicit OperandCache(std::int64_t max_bytes) : max_bytes_(max_bytes) {}

    /// Valid until the next call.
    Operands<T>& get(const GemmShape&, std::uint64_t seed);
    std::int64_t bytes() const noexcept;
    std::size_t size() const noexcept { return held_.size(); }

  private:
    std::int64_t max_bytes_;
    std::list<Operands<T>> held_; ///< last used first
};

inline constexpr std::int64_t operand_cache_bytes = std::int64_t{256} << 20;
/// The cache of this process for T = float or double.
template <class T>
OperandCache<T>& operand_cache();

} // namespace tune_gemm::host
