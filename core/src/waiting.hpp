// How threads of one run wait for each other: looking for a short while, then asleep until they are woken.
#pragma once
#include <atomic>

namespace tune_gemm {

inline void relax() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/// Looks this often before sleeping: 50 to 300 microseconds on the processors of today, less than waking
/// costs when calls follow each other, and far from a millisecond.
inline constexpr int looks_before_sleep = 4000;

/// Returns once `word` is not `old` any more, with what it is then. `looks` = 0: sleeps at once, which is
/// right when there are more threads than processors.
inline unsigned wait_for_change(const std::atomic<unsigned>& word, unsigned old, int looks) noexcept {
    for (int look = 0; look < looks; ++look) {
        if (const unsigned now = word.load(std::memory_order_acquire); now != old)
            return now;
        relax();
    }
    word.wait(old, std::memory_order_acquire);
    return word.load(std::memory_order_acquire);
}

} // namespace tune_gemm
