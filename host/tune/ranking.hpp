// Who wins: the smallest median, unless the difference is too small to be one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tune_gemm::host {

struct Contender {
    double median_ns = 0;
    std::int64_t workspace_bytes = 0;
    std::string id;
    bool sound = false; ///< what another method holds to be good, too
};

struct Ranking {
    std::size_t winner = 0;
    std::vector<std::size_t> equivalent; ///< the others within the band of the smallest median, fastest first
    std::vector<std::size_t> order;      ///< all, the winner first, then by median
};

/// Contenders within (1 + band) times the smallest median are equivalent to it; among them a sound one wins,
/// since what two methods agree on is more likely to hold in another hour, then the smaller workspace, then
/// the smaller id. Needs at least one contender.
Ranking rank_contenders(const std::vector<Contender>&, double band);

} // namespace tune_gemm::host
