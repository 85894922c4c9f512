#include "conformance/state_watch.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

namespace tune_gemm::host {
namespace {

constexpr std::uint64_t direction_flag = 1u << 10, alignment_check = 1u << 18;
constexpr std::uint32_t inexact_flag = 1u << 5; // of MXCSR and of the x87 status word

class RegistersWatch final : public StateWatch {
    void set(const PluginCall&, TrampolineFrame& frame) override {
        for (std::size_t at = 0; at < TrampolineFrame::kept; ++at)
            frame.canaries[at] =
                0x5EED000000000000u + 0x0101010101u * (at + 1) + static_cast<std::uint64_t>(turn_);
        // A function finds its stack 8 bytes past a multiple of 16, and of nothing larger.
        frame.stack_residue = static_cast<std::uint64_t>(turn_ % 4) * 16;
    }

    void judge(const PluginCall& call, const TrampolineFrame& frame) override {
        for (std::size_t at = 0; at < TrampolineFrame::kept; ++at) {
            if (frame.kept_after[at] != frame.canaries[at]) {
                report_of(call, fmt::format("changed {}, which a function has to keep, from {:#x} to {:#x},",
                                            TrampolineFrame::kept_names[at], frame.canaries[at],
                                            frame.kept_after[at]));
            }
        }
        if ((frame.rflags_after & direction_flag) != 0)
            report_of(call, "left the direction flag set");
        if ((frame.rflags_after & alignment_check) != 0)
            report_of(call, "left the alignment check flag set");
        if (frame.stack_after != frame.stack_before)
            report_of(call, fmt::format("came back with the stack pointer {:+} bytes off",
                                        static_cast<std::int64_t>(frame.stack_after - frame.stack_before)));
        if (frame.caller_frame_changed != 0)
            report_of(call, "wrote into its caller's stack frame");
    }
};

class FloatControlWatch final : public StateWatch {
    /// Modes under which exact products of integers are the same as ever, so that the result can be judged,
    /// and a function that puts the usual mode in place of its caller's shows. The last one traps invalid
    /// operations, divisions by zero and overflows, of which such products have none; planning may have.
    static constexpr std::array<std::uint32_t, 5> modes{0x1F80, 0x5F80, 0x7F80, 0x9FC0, 0x1900};
    static constexpr std::array<std::uint16_t, 3> x87_modes{0x37F, 0x27F, 0xF7F};

    void set(const PluginCall& call, TrampolineFrame& frame) override {
        const bool product = call.function == PluginFunction::tile || call.function == PluginFunction::gemm;
        frame.mxcsr = modes[static_cast<std::size_t>(turn_) % (product ? modes.size() : modes.size() - 1)];
        frame.x87_control = x87_modes[static_cast<std::size_t>(turn_) % x87_modes.size()];
    }

    void judge(const PluginCall& call, const TrampolineFrame& frame) override {
        if (((frame.mxcsr_after ^ frame.mxcsr) & mxcsr_control) != 0)
            report_of(call, fmt::format("changed {} to {}", mxcsr_text(frame.mxcsr),
                                        mxcsr_text(frame.mxcsr_after)));
        if (frame.x87_after.control != frame.x87_control)
            report_of(call, fmt::format("changed the x87 control word from {:#x} to {:#x}", frame.x87_control,
                                        frame.x87_after.control));
        if (frame.x87_after.tags != 0xFFFF)
            report_of(call,
                      fmt::format("left x87 or MMX registers in use (tag word {:#x})", frame.x87_after.tags));
    }
};

/// The flags that arithmetic on this data may raise, in its own right.
std::uint32_t flags_of(Family family) noexcept {
    constexpr std::uint32_t denormal = 1u << 1, underflow = 1u << 4;
    switch (family) {
    case Family::integers:
    case Family::one_hot_a:
    case Family::one_hot_b:
    case Family::signed_zeros:
        return 0;
    case Family::subnormals:
        return denormal | underflow | inexact_flag;
    default:
        return inexact_flag;
    }
}

std::string flags_text(std::uint32_t flags) {
    constexpr std::array<const char*, 6> names{"invalid",  "denormal operand", "division by zero",
                                               "overflow", "underflow",        "inexact"};
    std::vector<std::string_view> set;
    for (std::size_t bit = 0; bit < names.size(); ++bit)
        if ((flags >> bit & 1) != 0)
            set.emplace_back(names[bit]);
    return fmt::format("{}", fmt::join(set, ", "));
}

class FloatFlagsWatch final : public StateWatch {
  public:
    explicit FloatFlagsWatch(const ArithmeticClass& arithmetic)
        : always_(arithmetic.order == TG_SEQUENTIAL ? 0 : inexact_flag) {}

  private:
    void begin(Family family, std::int64_t turn) override {
        StateWatch::begin(family, turn);
        allowed_ = flags_of(family) | always_;
    }
    /// Every fourth call finds all flags raised, and has to leave them so.
    std::uint32_t mxcsr() const { return turn_ % 4 == 3 ? 0x1F80 | mxcsr_flags : 0x1F80; }
    void set(const PluginCall&, TrampolineFrame& frame) override { frame.mxcsr = mxcsr(); }

    void judge(const PluginCall& call, const TrampolineFrame& frame) override {
        const std::uint32_t after = frame.mxcsr_after & mxcsr_flags, before = frame.mxcsr & mxcsr_flags;
        if ((before & ~after) != 0)
            report_of(call, fmt::format("cleared exception flags that were raised before ({})",
                                        flags_text(before & ~after)));
        // What planning computes is its own affair; a product is to be known by its flags.
        if (call.function != PluginFunction::tile && call.function != PluginFunction::gemm)
            return;
        const std::uint32_t raised = (after & ~before) | (frame.x87_after.status & mxcsr_flags);
        if ((raised & ~allowed_) != 0)
            report_of(call, fmt::format("raised exceptions that its data does not raise ({})",
                                        flags_text(raised & ~allowed_)));
    }

    std::uint32_t always_, allowed_ = 0;
};

const FloatControl at_start = float_control_now();

} // namespace

bool StateWatch::make(PluginCall& call) {
    TrampolineFrame frame;
    frame.entry = call.entry;
    frame.arguments = call.arguments;
    set(call, frame);
    if (clean_vectors())
        call_by_trampoline_clean(frame);
    else
        call_by_trampoline(frame, call.registers);
    call.result = frame.result;
    judge(call, frame);
    return true;
}

void StateWatch::report_of(const PluginCall& call, std::string breach) {
    const std::string_view name = to_text(call.function);
    report(fmt::format("{} {}", name, breach));
}

std::unique_ptr<StateWatch> watch_registers() {
    return std::make_unique<RegistersWatch>();
}
std::unique_ptr<StateWatch> watch_float_control() {
    return std::make_unique<FloatControlWatch>();
}
std::unique_ptr<StateWatch> watch_float_flags(const ArithmeticClass& arithmetic) {
    return std::make_unique<FloatFlagsWatch>(arithmetic);
}

std::string mxcsr_text(std::uint32_t mxcsr) {
    constexpr std::array<const char*, 4> roundings{"to nearest", "down", "up", "towards zero"};
    const bool unmasked = (mxcsr & 0x1F80) != 0x1F80;
    return fmt::format("MXCSR {:#x} (rounds {}{}{}{})", mxcsr, roundings[mxcsr >> 13 & 3],
                       (mxcsr & 0x8000) != 0 ? ", flushes subnormal results" : "",
                       (mxcsr & 0x40) != 0 ? ", takes subnormals for zero" : "", unmasked ? ", traps" : "");
}

FloatControl float_control_now() noexcept {
    FloatControl control;
#if defined(__x86_64__)
    asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(control.mxcsr), "=m"(control.x87));
    control.mxcsr &= mxcsr_control;
#endif
    return control;
}

FloatControl float_control_at_start() noexcept {
    return at_start;
}

std::string_view to_text(PluginFunction function) noexcept {
    constexpr std::array<std::string_view, 7> texts{"enter",   "leave", "select", "The tile",
                                                    "prepare", "run",   "release"};
    return texts[static_cast<std::size_t>(function)];
}

} // namespace tune_gemm::host
