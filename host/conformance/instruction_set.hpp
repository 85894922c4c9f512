// Which processor features the instructions of a library need, by its disassembly (x86-64).
#pragma once
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace tune_gemm::host {

/// One line of `objdump -d -w`.
struct Instruction {
    std::string_view address; ///< hexadecimal
    std::string_view bytes;   ///< hexadecimal, with blanks between
    std::string_view text;    ///< mnemonic and operands in AT&T's syntax
};

/// The feature that the instruction needs, named as in /proc/cpuinfo; "" when every x86-64 processor has it.
std::string_view feature_of(const Instruction&) noexcept;

/// The features declared and all those that come with them: avx2 with avx, avx with sse4_2, and so on.
std::set<std::string, std::less<>> with_implied(std::span<const std::string> declared);

} // namespace tune_gemm::host
