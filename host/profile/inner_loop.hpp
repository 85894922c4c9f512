// The loop in which a kernel multiplies, found in the disassembly of its file (x86-64).
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tune_gemm::host {

struct CodeLine {
    std::uint64_t address = 0;
    std::string text;     ///< mnemonic and operands in AT&T's syntax
    std::string function; ///< the name that stands before it; empty in a stripped file
};

/// What one iteration does. An fma whose operand lies in memory is one of both `fma` and `loads`.
struct InnerLoop {
    std::vector<CodeLine> lines;
    int fma = 0;             ///< fused multiply-adds
    int multiplications = 0; ///< without an addition
    int additions = 0;
    int loads = 0, stores = 0;
    int sums = 0;           ///< registers that fused multiply-adds or additions add to
    int register_bytes = 0; ///< of the widest of those operations; 4 and 8: one entry at a time
    std::string arithmetic; ///< the mnemonic that multiplies, e.g. "vfmadd231pd"

    /// Multiply-adds, fused or not.
    int multiply_adds() const noexcept { return fma + multiplications; }
};

/// Of the loops that hold no other, the one that multiplies most in an iteration; among those that are
/// reached from `entry` by direct jumps and calls, or, where none of them multiplies, in all of the code.
std::optional<InnerLoop> find_inner_loop(std::span<const CodeLine> code, std::uint64_t entry);

/// A file's instructions, read once. `absent`: why there are none, as a sentence.
struct Code {
    std::vector<CodeLine> lines;
    std::string absent;
};
Code read_code(const std::filesystem::path&);

} // namespace tune_gemm::host
