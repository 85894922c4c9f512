// Calls a register tile on guarded operands, and judges everything that it did to memory.
#pragma once
#include "conformance/call_arguments.hpp"
#include "conformance/check.hpp"
#include "conformance/strided.hpp"
#include "conformance/tile_case.hpp"

#include <array>
#include <vector>

namespace tune_gemm::host {

/// Extents up to which the tests of a tile go: its mr and nr, or for a free tile its maxima within reason.
struct TileExtents {
    std::int64_t mr = 1, nr = 1;
    std::int64_t unroll = 1; ///< of k; at least kr
    bool free = false;
};
TileExtents extents_of(const TileInfo&) noexcept;

/// Owns the memory for all calls of one check. Between its making and its end the thread has entered the
/// kernel.
template <class T>
class TileRig {
  public:
    /// For calls up to m x n x k; strides are those of set_strides with pads up to 8, or, with `wide`, up to
    /// 1100.
    TileRig(const CheckContext&, std::int64_t m, std::int64_t n, std::int64_t k, bool wide = false);
    ~TileRig();
    TileRig(const TileRig&) = delete;
    TileRig& operator=(const TileRig&) = delete;

    /// A case with these extents whose forms, placement, padding, and entry (run or select) follow from the
    /// number: numbers 0 .. variations()-1 take every combination of forms, placement and entry, with padding
    /// changing from one to the next.
    TileCase vary(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t number) const;
    std::int64_t variations() const noexcept;
    const std::vector<Forms>& combinations() const noexcept { return combinations_; }
    bool has_select() const noexcept { return tile_.select != nullptr; }
    /// The strides of a packed panel and the like that depend on the tile; to be called after forms or
    /// extents changed.
    void settle(TileCase&) const;

    /// Makes the call and ends the check (fail_check) when an entry of C is not what is expected, or when
    /// anything around C was written. The kernel's inputs and arguments are read-only, so writing to them is
    /// a crash.
    void run(const TileCase&, const Numbers<T>&, const Expectation<T>&);
    /// At the end of a check: nothing in the memory of C was written that no case looked at.
    void finish() const;

  private:
    Placed<T> put(GuardedMemory&, const Place&, std::int64_t rows, std::int64_t columns, const T* values);
    T* put_packed(GuardedMemory&, const Place&, bool left, const Numbers<T>&);
    void call(const TileCase&, const tg_tile_args&);

    const KernelInfo& kernel_;
    const TileInfo& info_;
    tg_kernel descriptor_;
    tg_tile tile_;
    std::vector<Forms> combinations_;
    CallWatch* watch_;
    int poison_width_;
    GuardedMemory a_, b_, c_;
    CallArguments<tg_tile_args> args_;
};

} // namespace tune_gemm::host
