// Calls with every part of the processor's state known before, and recorded at once after.
//
// What C++ cannot see, a function may spoil: registers that its caller keeps, control words, flags. The part
// in assembly (trampoline_x86_64.S) sets them all, makes the call, and writes down what came back before any
// other code runs. There is one for x86-64 with the System V calling convention.
#pragma once
#include "conformance/plugin_call.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace tune_gemm::host {

/// Null where there is a trampoline, else why not.
const char* no_trampoline() noexcept;

/// x87 registers as fnstenv stores them.
struct X87State {
    std::uint16_t control, pad0, status, pad1, tags, pad2;
    std::array<std::uint32_t, 4> pointers;
};

/// One call: what to set, and what was found. trampoline_x86_64.S knows the layout.
struct TrampolineFrame {
    static constexpr std::size_t kept = 6;
    static constexpr std::array<const char*, kept> kept_names{"rbx", "rbp", "r12", "r13", "r14", "r15"};

    std::uintptr_t entry = 0;
    std::array<std::uintptr_t, PluginCall::most_arguments> arguments{};
    std::array<std::uint64_t, kept> canaries{}, kept_after{};
    std::uint64_t result = 0;
    std::uint64_t rflags_after = 0;
    std::uintptr_t stack = 0;        ///< the stack pointer before the call, a multiple of 16; 0: this stack
    std::uint64_t stack_residue = 0; ///< on this stack: 0, 16, 32 or 48, below a multiple of 64
    std::uintptr_t own_stack = 0;
    std::uint32_t mxcsr = 0x1F80, mxcsr_after = 0;
    std::uint16_t x87_control = 0x37F, pad = 0;
    X87State x87_after{};
    std::uint64_t in_use_after = 0; ///< XINUSE, where `reads_in_use`
    std::uint32_t reads_in_use = 0, pad2 = 0;
    std::uint32_t own_mxcsr = 0;
    std::uint16_t own_x87_control = 0, pad3 = 0;
    std::uintptr_t stack_before = 0, stack_after = 0;
    std::uint64_t caller_frame_changed = 0; ///< the words above the return address, which are the caller's
};

/// Makes the call. Afterwards the thread's own control words are back, whatever the function did to them.
void call_by_trampoline(TrampolineFrame&, int registers) noexcept;
/// The same with vector registers that hold nothing.
void call_by_trampoline_clean(TrampolineFrame&) noexcept;

} // namespace tune_gemm::host
