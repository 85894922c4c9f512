// Which instructions of a kernel really run: the program counter, looked at again and again meanwhile.
#pragma once
#include "measure/in_turn.hpp"

#include <cstdint>
#include <map>

namespace tune_gemm::host {

struct CodeSamples {
    int taken = 0;
    /// How many found the program counter there: addresses as disassemblers number them, in the one file.
    std::map<std::uint64_t, int> in_file;

    int taken_in_file() const noexcept {
        int sum = 0;
        for (const auto& [address, count] : in_file)
            sum += count;
        return sum;
    }
};

/// Calls until some hundreds of samples are taken, or for a second at most. The file is the one that
/// `function` lies in. [in the main thread; takes SIGALRM meanwhile]
CodeSamples sample_code(const Contestant& call, const void* function);

} // namespace tune_gemm::host
