// Watches that make each call by the trampoline and judge the processor's state after it.
#pragma once
#include "conformance/family.hpp"
#include "conformance/trampoline.hpp"

#include <cstdint>
#include <memory>

namespace tune_gemm::host {

class StateWatch : public CallWatch {
  public:
    void begin(Family, std::int64_t turn) override { turn_ = turn; }
    bool make(PluginCall&) final;

  protected:
    /// Fills in what the call is to find.
    virtual void set(const PluginCall&, TrampolineFrame&) {}
    virtual void judge(const PluginCall&, const TrampolineFrame&) = 0;
    /// Whether the vector registers hold nothing before the call, instead of a poison.
    virtual bool clean_vectors() const { return false; }
    /// A function of the interface, as in "prepare left the direction flag set".
    void report_of(const PluginCall&, std::string breach);

    std::int64_t turn_ = 0;
};

/// Callee-saved registers, the direction flag, the caller's stack frame, any alignment of the stack.
std::unique_ptr<StateWatch> watch_registers();
/// Control words of SSE and x87, and that no x87 register stays in use.
std::unique_ptr<StateWatch> watch_float_control();
/// Exception flags: none that the data does not raise, and none cleared. Only a sequential class says what is
/// rounded, down to the last operation; a reordered one may round on the way (to share out work, say).
std::unique_ptr<StateWatch> watch_float_flags(const ArithmeticClass&);
/// Upper halves of vector registers, and matrix tiles: after `leave`, or after each call where there is none.
std::unique_ptr<StateWatch> watch_upper(bool has_leave);
/// Null where the processor tells which registers are in use, else why not.
const char* no_upper_state() noexcept;

/// The control bits of MXCSR: all but the exception flags.
inline constexpr std::uint32_t mxcsr_control = 0xFFC0, mxcsr_flags = 0x3F;
/// "MXCSR 0x1f80 (round to nearest)", "MXCSR 0x9fc0 (flushes subnormals to zero, ...)".
std::string mxcsr_text(std::uint32_t);

/// Control words as this process was started with; what a plugin changes when it is loaded shows against
/// them.
struct FloatControl {
    std::uint32_t mxcsr = 0;
    std::uint16_t x87 = 0;
};
FloatControl float_control_now() noexcept;
FloatControl float_control_at_start() noexcept;

} // namespace tune_gemm::host
