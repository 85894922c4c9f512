// Calls of every size and form under a watch: what the checks of state have in common.
#pragma once
#include "conformance/check.hpp"
#include "conformance/family.hpp"

#include <cstdint>
#include <vector>

namespace tune_gemm::host {

/// Which calls a check makes: each m, n and k storing and accumulating, with the first family and one of the
/// others by turns; the edge sizes in every variation of forms with each family; and a few long sums.
struct StateSweep {
    std::vector<Family> families{Family::integers};
    bool brief = false; ///< each m and n once, with k and all else by turns, and only the largest edges
    int rounds = 1;     ///< of all these calls
};

/// Makes the calls through the watch, judges their results as ever, and ends the check at the watch's first
/// breach.
void sweep_state(const CheckContext&, Tally&, CallWatch&, const StateSweep& = {});

/// Skips the check where there is no trampoline.
void need_trampoline();

/// Checks of the group that have a file of their own.
void check_stack(const CheckContext&, Tally&);
void check_memory(const CheckContext&, Tally&);
void check_process(const CheckContext&, Tally&);

} // namespace tune_gemm::host
