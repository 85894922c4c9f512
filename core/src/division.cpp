#include "division.hpp"

#include <tune_gemm/checked.hpp>

#include <algorithm>

namespace tune_gemm {
namespace {

/// Multiply-adds for which it pays to wake a thread: some ten microseconds of work.
constexpr double least_work = 1 << 19;
/// And for which it pays to claim a piece: about one microsecond.
constexpr double least_piece = 1 << 15;
/// So many units a thread make pieces small enough at the end, when all are to be done at once; with fewer
/// than the least somebody waits.
constexpr std::int64_t wanted_units = 32, least_units = 8;
/// Rows of a unit: so often each entry of B is used once it has come.
constexpr std::int64_t enough_rows = 64;

double product(std::int64_t m, std::int64_t n, std::int64_t k) noexcept {
    return static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
}

} // namespace

Units::Units(const Part& whole, std::int64_t rows, std::int64_t columns) noexcept
    : whole_(whole), rows_(rows), columns_(columns), strips_(ceil_div(whole.m.length(), rows)),
      slices_(ceil_div(whole.n.length(), columns)) {}

Part Units::take(Range& units) const noexcept {
    const std::int64_t in_matrix = strips_ * slices_, matrix = units.begin / in_matrix,
                       unit = units.begin % in_matrix, strip = unit / slices_, slice = unit % slices_,
                       left = units.length();
    std::int64_t matrices = 1, strips = strips_, slices = slices_;
    if (unit == 0 && left >= in_matrix) {
        matrices = left / in_matrix;
    } else if (slice == 0 && left >= slices_) {
        strips = std::min(left / slices_, strips_ - strip);
    } else {
        strips = 1;
        slices = std::min(left, slices_ - slice);
    }
    units.begin += matrices * strips * slices;
    const auto range = [](const Range& in, std::int64_t first, std::int64_t count, std::int64_t size) {
        const std::int64_t begin = in.begin + first * size;
        return Range{begin, std::min(in.end, begin + count * size)};
    };
    return {range(whole_.batch, matrix, matrices, 1), range(whole_.m, strip, strips, rows_),
            range(whole_.n, slice, slices, columns_)};
}

std::int64_t even_block(std::int64_t extent, std::int64_t most, std::int64_t unit) noexcept {
    if (extent <= most)
        return most;
    return std::min(most, round_up(ceil_div(extent, ceil_div(extent, most)), unit));
}

bool can_share_b(const BlockedPlan& plan) noexcept {
    return plan.candidate.loop_order == LoopOrder::n_k_m && plan.access.packed_b;
}

Division divide(const BlockedPlan& plan, unsigned threads) noexcept {
    const GemmProblem& p = plan.problem;
    const GemmCandidate& c = plan.candidate;
    if (threads <= 1 || p.m == 0 || p.n == 0 || p.batch == 0)
        return {};
    const double work = product(p.m, p.n, p.k) * static_cast<double>(p.batch);
    const auto most =
        static_cast<std::int64_t>(std::clamp(work / least_work, 1.0, static_cast<double>(threads)));
    const std::int64_t tiles_m = ceil_div(p.m, c.mr), tiles_n = ceil_div(p.n, c.nr);
    const double tiles = product(tiles_m, tiles_n, p.batch);
    const std::int64_t members = tiles < static_cast<double>(most) ? static_cast<std::int64_t>(tiles) : most;
    if (members <= 1)
        return {};

    Division division;
    division.threads = static_cast<unsigned>(members);
    division.shares_b = can_share_b(plan) && p.batch < least_units * members;
    if (p.batch >= least_units * members) {
        division.rows = p.m, division.columns = p.n;
    } else if (plan.access.packed_b && !division.shares_b) {
        // Who packs B for each of its pieces wants them large.
        division.rows = std::min(plan.block.m, round_up(ceil_div(p.m, members), c.mr));
        division.columns = p.n;
    } else {
        std::int64_t rows = std::min(ceil_div(enough_rows, c.mr), ceil_div(tiles_m, 2 * members));
        const std::int64_t slices = ceil_div(wanted_units * members, ceil_div(tiles_m, rows) * p.batch);
        const std::int64_t columns = std::max<std::int64_t>(tiles_n / slices, 1);
        const std::int64_t others = ceil_div(tiles_n, columns) * p.batch;
        if (ceil_div(tiles_m, rows) * others < least_units * members)
            rows = std::max<std::int64_t>(tiles_m * others / (least_units * members), 1);
        division.rows = rows * c.mr, division.columns = columns * c.nr;
    }
    const double unit = product(std::min(division.rows, p.m), std::min(division.columns, p.n), p.k);
    division.least = std::max<std::int64_t>(static_cast<std::int64_t>(least_piece / std::max(unit, 1.0)), 1);
    return division;
}

std::int64_t packed_blocks_of_b(const BlockedPlan& plan) noexcept {
    return plan.division.shares_b ? 1 : plan.division.threads;
}

} // namespace tune_gemm
