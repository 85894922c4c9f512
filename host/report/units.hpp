// Amounts as people read them, always in the same form whatever the locale.
#pragma once
#include <cstdint>
#include <string>

namespace tune_gemm::host {

/// "65536 bytes" is "64 KiB"; one decimal where it is not whole: "1.5 MiB", "1023 B".
std::string bytes_text(std::int64_t bytes);
/// A duration in nanoseconds with three or four figures: "17.4 ns", "1.25 us", "350 ms", "2.00 s".
std::string duration_text(double ns);
/// A span of time to wait for, in whole seconds: "9 s", "1 min 20 s", "2 h 5 min".
std::string wait_text(double seconds);
/// GFLOP/s with three or four figures: "1.234", "45.6", "1234".
std::string rate_text(double gflops);

} // namespace tune_gemm::host
