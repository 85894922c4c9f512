// The loop in which a kernel spends its time, found in the disassembly of its file (x86-64) by where the
// program counter was seen. A compiler may make several loops of one, of which most never run.
#pragma once
#include "profile/program_counter.hpp"

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

/// Where it was seen, and what one iteration does. An fma whose operand lies in memory is one of both `fma`
/// and `loads`.
struct InnerLoop {
    std::vector<CodeLine> lines;
    int samples = 0, all_samples = 0; ///< in it, of those that were taken
    int fma = 0;                      ///< fused multiply-adds
    int multiplications = 0;          ///< without an addition
    int additions = 0;
    int loads = 0, stores = 0;
    int sums = 0;           ///< registers that fused multiply-adds or additions add to
    int register_bytes = 0; ///< of the widest of those operations; 4 and 8: one entry at a time
    std::string arithmetic; ///< the mnemonic that multiplies, e.g. "vfmadd231pd"

    /// Multiply-adds, fused or not.
    int multiply_adds() const noexcept { return fma + multiplications; }
    /// Whether most of the time is spent in it.
    bool is_most() const noexcept { return 2 * samples > all_samples; }
};

/// Exactly one of the two is set.
struct FoundLoop {
    std::optional<InnerLoop> loop;
    std::string absent; ///< why there is none, as a sentence
};
/// A sample counts for the smallest loop around it; of the loops, the one with most samples.
FoundLoop find_inner_loop(std::span<const CodeLine>, const CodeSamples&);

/// A file's instructions, read once. `absent`: why there are none, as a sentence.
struct Code {
    std::vector<CodeLine> lines;
    std::string absent;
};
Code read_code(const std::filesystem::path&);

} // namespace tune_gemm::host
