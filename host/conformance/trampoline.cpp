#include "conformance/trampoline.hpp"

#include "conformance/poison.hpp"

#include <cstdlib>

#if defined(__x86_64__) && defined(__ELF__)
extern "C" void tune_gemm_trampoline(tune_gemm::host::TrampolineFrame*) noexcept;
#endif

namespace tune_gemm::host {

#if defined(__x86_64__) && defined(__ELF__)
static_assert(offsetof(TrampolineFrame, canaries) == 48 && offsetof(TrampolineFrame, kept_after) == 96);
static_assert(offsetof(TrampolineFrame, result) == 144 && offsetof(TrampolineFrame, stack) == 160);
static_assert(offsetof(TrampolineFrame, own_stack) == 176 && offsetof(TrampolineFrame, mxcsr) == 184);
static_assert(offsetof(TrampolineFrame, x87_after) == 196 && sizeof(X87State) == 28);
static_assert(offsetof(TrampolineFrame, in_use_after) == 224 && offsetof(TrampolineFrame, own_mxcsr) == 240);
static_assert(offsetof(TrampolineFrame, stack_before) == 248);
static_assert(offsetof(TrampolineFrame, caller_frame_changed) == 264);

const char* no_trampoline() noexcept {
    return nullptr;
}

void call_by_trampoline(TrampolineFrame& frame, int registers) noexcept {
    poison_registers(registers);
    tune_gemm_trampoline(&frame);
    settle_registers();
}

void call_by_trampoline_clean(TrampolineFrame& frame) noexcept {
    settle_registers();
    tune_gemm_trampoline(&frame);
    settle_registers();
}
#else
const char* no_trampoline() noexcept {
    return "There is no trampoline for this processor; x86-64 has one.";
}

void call_by_trampoline(TrampolineFrame&, int) noexcept {
    std::abort(); // no_trampoline was not asked
}

void call_by_trampoline_clean(TrampolineFrame&) noexcept {
    std::abort();
}
#endif

} // namespace tune_gemm::host
