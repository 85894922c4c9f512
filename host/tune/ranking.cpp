#include "tune/ranking.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace tune_gemm::host {

Ranking rank_contenders(const std::vector<Contender>& contenders, double band) {
    Ranking ranking;
    ranking.order.resize(contenders.size());
    std::iota(ranking.order.begin(), ranking.order.end(), std::size_t{0});
    std::sort(ranking.order.begin(), ranking.order.end(), [&](std::size_t x, std::size_t y) {
        return std::tie(contenders[x].median_ns, contenders[x].id) <
               std::tie(contenders[y].median_ns, contenders[y].id);
    });
    const double allowed = contenders[ranking.order.front()].median_ns * (1 + band);
    const auto outside = std::find_if(ranking.order.begin(), ranking.order.end(),
                                      [&](std::size_t i) { return contenders[i].median_ns > allowed; });
    const auto winner = std::min_element(ranking.order.begin(), outside, [&](std::size_t x, std::size_t y) {
        return std::tie(contenders[y].sound, contenders[x].workspace_bytes, contenders[x].id) <
               std::tie(contenders[x].sound, contenders[y].workspace_bytes, contenders[y].id);
    });
    ranking.winner = *winner;
    for (auto i = ranking.order.begin(); i != outside; ++i)
        if (*i != ranking.winner)
            ranking.equivalent.push_back(*i);
    std::rotate(ranking.order.begin(), winner, winner + 1);
    return ranking;
}

} // namespace tune_gemm::host
