// One candidate bound to operands, carried out in its allocation mode. The steps are separate so that a clock
// can span just those that a timing scope names:
//
//   set_up      once before a series of uses: the caller's C and workspace (modes workspace, prepacked_*; C
//   alone in
//               reuse_output), allocated and touched; whole operands packed (prepacked_*)
//   begin_use   what this mode allocates in each operation (fresh: C and buffers; reuse_output: buffers)
//   multiply    the multiplication
//   end_use     frees the buffers that begin_use allocated
//   tear_down   frees what set_up allocated
//
// compute spans multiply; steady_state spans begin_use to end_use of repeated uses; end_to_end spans
// everything; amortized_R spans set_up, R uses and tear_down, divided by R.
#pragma once
#include <tune_gemm/buffer.hpp>
#include <tune_gemm/prepared.hpp>

#include <cstddef>
#include <optional>
#include <span>

namespace tune_gemm {

class Operation {
  public:
    /// a and b stay the caller's and outlive the operation. `c_bytes`: the size of C.
    Operation(PreparedGemm, const void* a, const void* b, std::int64_t c_bytes);

    void set_up();
    void begin_use();
    void multiply();
    void end_use();
    void tear_down();
    /// What is multiplied from now on: operands of the same shape. Precondition: none was packed ahead.
    void use_operands(const void* a, const void* b) noexcept;
    /// False when begin_use and end_use do nothing in this mode, so that uses can be timed back to back.
    bool allocates_per_use() const noexcept;
    /// C of the last use: valid from the first multiply to tear_down (fresh: until the next begin_use).
    std::span<std::byte> c() noexcept;

  private:
    PreparedGemm prepared_;
    const void* a_;
    const void* b_;
    std::int64_t c_bytes_;
    Buffer c_, workspace_;
    std::optional<PackedOperand> packed_a_, packed_b_;
};

} // namespace tune_gemm
