// state.: what a call leaves behind in the processor, and what it may find there.
#include "conformance/descriptor.hpp"
#include "conformance/state_sweep.hpp"
#include "conformance/state_watch.hpp"

#include <fmt/format.h>

namespace tune_gemm::host {
namespace {

void check_registers(const CheckContext& context, Tally& tally) {
    need_trampoline();
    sweep_state(context, tally, *watch_registers(), {});
}

void check_float_control(const CheckContext& context, Tally& tally) {
    need_trampoline();
    const FloatControl now = float_control_now(), start = float_control_at_start();
    if (now.mxcsr != start.mxcsr)
        fail_check(fmt::format("Loading the plugin changed {} to {}.", mxcsr_text(start.mxcsr),
                               mxcsr_text(now.mxcsr)));
    if (now.x87 != start.x87)
        fail_check(fmt::format("Loading the plugin changed the x87 control word from {:#x} to {:#x}.",
                               start.x87, now.x87));
    sweep_state(context, tally, *watch_float_control(), {});
}

void check_float_flags(const CheckContext& context, Tally& tally) {
    need_trampoline();
    sweep_state(context, tally, *watch_float_flags(context.kernel.arithmetic),
                {{Family::integers, Family::cancelling, Family::scaled, Family::signed_zeros}});
}

void check_upper(const CheckContext& context, Tally& tally) {
    need_trampoline();
    if (const char* reason = no_upper_state())
        skip_check(reason);
    StateSweep sweep;
    sweep.brief = true;
    const bool has_leave = read_descriptor(context.kernel.kernel).leave != nullptr;
    sweep_state(context, tally, *watch_upper(has_leave), sweep);
}

using std::chrono::seconds;

const Check state_table[] = {
    {"state.registers",
     "A call keeps its caller's registers and the direction flag, and needs no stack alignment above 16.",
     Severity::must, Scope::tile, seconds(10), check_registers},
    {"state.float_control",
     "Neither loading nor a call changes rounding, flushing, masks or precision, nor leaves x87 or MMX "
     "registers in use.",
     Severity::must, Scope::tile, seconds(10), check_float_control, true},
    {"state.float_flags",
     "A product raises no floating-point exception that its own arithmetic does not raise, and clears none.",
     Severity::must, Scope::tile, seconds(10), check_float_flags},
    {"state.upper", "A call leaves no upper halves of vector registers, nor matrix tiles, in use.",
     Severity::must, Scope::tile, seconds(10), check_upper},
    {"state.stack", "A product takes at most 64 KiB of stack, planning 512 KiB.", Severity::must, Scope::tile,
     seconds(10), check_stack},
    {"state.memory",
     "A product allocates nothing unless its flags say so, and what is allocated is given back.",
     Severity::must, Scope::tile, seconds(20), check_memory, true},
    {"state.process",
     "Loading and calls leave threads, descriptors, signals, processors, limits, locale, folder, environment "
     "and umask as they were, and print nothing.",
     Severity::must, Scope::tile, seconds(20), check_process, true},
};

} // namespace

std::span<const Check> state_checks() noexcept {
    return state_table;
}

} // namespace tune_gemm::host
