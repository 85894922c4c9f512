// Which vector registers a call leaves in use. A processor that tells (XGETBV with ECX = 1) keeps track of it
// to save and restore less; code for older vector instructions is slow while their upper halves are.
#include "conformance/state_watch.hpp"

#include <fmt/format.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace tune_gemm::host {
namespace {

// Bits of XINUSE. The registers that only AVX-512 code reaches (zmm16 to zmm31, bit 7) cannot be cleared with
// one instruction and slow nothing down; nor do masks (bit 5).
constexpr std::uint64_t upper_ymm = 1u << 2, upper_zmm = 1u << 6, matrix_tiles = std::uint64_t{3} << 17;

class UpperWatch final : public StateWatch {
  public:
    explicit UpperWatch(bool has_leave) : has_leave_(has_leave) {}

  private:
    void set(const PluginCall&, TrampolineFrame& frame) override { frame.reads_in_use = 1; }
    bool clean_vectors() const override { return true; }
    void judge(const PluginCall& call, const TrampolineFrame& frame) override {
        if ((frame.in_use_after & (upper_ymm | upper_zmm)) != 0)
            report_of(call, fmt::format("left the upper halves of vector registers in use (XINUSE {:#x})",
                                        frame.in_use_after));
        // Between enter and leave matrix tiles may stay as they are.
        const bool between = has_leave_ && call.function != PluginFunction::leave;
        if (!between && (frame.in_use_after & matrix_tiles) != 0)
            report_of(call, fmt::format("left matrix tiles in use (XINUSE {:#x})", frame.in_use_after));
    }

    bool has_leave_;
};

#if defined(__x86_64__) && defined(__ELF__)
bool processor_tells() noexcept {
    unsigned a = 0, b = 0, c = 0, d = 0;
    constexpr unsigned osxsave = 1u << 27, avx = 1u << 28, xgetbv1 = 1u << 2;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & osxsave) == 0 || (c & avx) == 0)
        return false;
    return __get_cpuid_count(0xD, 1, &a, &b, &c, &d) != 0 && (a & xgetbv1) != 0 &&
           __builtin_cpu_supports("avx") != 0;
}

[[gnu::noinline]] void touch_nothing() noexcept {
    asm volatile("");
}
[[gnu::noinline]] void touch_upper() noexcept {
    asm volatile("vcmptrueps %%ymm0, %%ymm0, %%ymm0" ::: "xmm0");
}

std::uint64_t in_use_after(void (*function)() noexcept) noexcept {
    TrampolineFrame frame;
    frame.entry = reinterpret_cast<std::uintptr_t>(function);
    frame.reads_in_use = 1;
    call_by_trampoline_clean(frame);
    return frame.in_use_after & (upper_ymm | upper_zmm);
}
#endif

} // namespace

std::unique_ptr<StateWatch> watch_upper(bool has_leave) {
    return std::make_unique<UpperWatch>(has_leave);
}

const char* no_upper_state() noexcept {
#if defined(__x86_64__) && defined(__ELF__)
    if (!processor_tells())
        return "This processor does not tell which vector registers are in use.";
    // Some say "in use" of all registers, always.
    if (in_use_after(touch_nothing) != 0 || in_use_after(touch_upper) == 0)
        return "This processor does not keep track of which vector registers are in use.";
    return nullptr;
#else
    return no_trampoline();
#endif
}

} // namespace tune_gemm::host
