// Every allocation of the test program with operator new, counted.
#pragma once
#include <cstdint>

namespace tune_gemm::test {

struct NewAccount {
    std::int64_t calls = 0, held = 0,
                 peak = 0; ///< calls of operator new; bytes now and at most since the reset
};
NewAccount new_account() noexcept;
void reset_new_peak() noexcept;

} // namespace tune_gemm::test
