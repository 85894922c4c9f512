// Operands with strides in guarded memory: putting them there, and judging what came out.
#pragma once
#include "conformance/oracle.hpp"
#include "conformance/plugin_call.hpp"
#include "worker/crash_note.hpp"
#include "worker/guarded_memory.hpp"

#include <tune_gemm/shape.hpp>

#include <cstdint>
#include <span>
#include <string>

namespace tune_gemm::host {

/// Extents of an operand: `batch` matrices of rows x columns.
struct Box {
    std::int64_t rows = 0, columns = 0, batch = 1;
};

/// The elements that strides reach, counted from element (0, 0) of the first matrix.
struct Reach {
    std::int64_t lowest = 0, highest = -1; ///< empty: no elements
    Reach(const Box&, const Strides&) noexcept;
    std::int64_t elements() const noexcept { return highest - lowest + 1; }
};

/// Where an operand came to lie.
template <class T>
struct Placed {
    T* seen = nullptr;        ///< element (0, 0) of the first matrix, for the kernel
    std::byte* own = nullptr; ///< the same, for its owner
};

/// Places the operand, and copies its values there: `values` yields matrix after matrix, each row-major and
/// tight.
template <class T>
Placed<T> place_operand(GuardedMemory&, const Box&, const Strides&, const Spot&);
template <class T>
void put_values(const Placed<T>&, const Box&, const Strides&, std::int64_t batch_index, const T* values);

/// Compares C with what is expected of each matrix of the batch, and what is around and between its entries
/// with the canaries, and puts the canaries back. Ends the check (fail_check) naming the entry or the place,
/// and the call.
template <class T>
void judge_c(GuardedMemory&, const Placed<T>&, const Box&, const Strides&, std::span<const Expectation<T>>,
             const CallNote& call);

/// What a note says, as a string.
std::string text_of(const CallNote&);

/// Ends the check when the watch, which may be null, has seen a breach.
void judge_state(const CallWatch*, const CallNote& call);

} // namespace tune_gemm::host
