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
/// Tiles in a row of a stripe: so often each entry of A is used once it has come.
constexpr std::int64_t enough_tiles = 4;

double product(std::int64_t m, std::int64_t n, std::int64_t k) noexcept {
    return static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
}

/// Whether each thread can have columns of its own to pack of B and to multiply by. Then what it reads of the
/// packed block has never left its caches; only A comes to all of them. A packed block that is one wide panel
/// cannot be several wide.
bool can_have_stripes(const BlockedPlan& plan, std::int64_t tiles_n, std::int64_t members) noexcept {
    return plan.panel_b.width == plan.candidate.nr && tiles_n >= enough_tiles * members;
}

/// Units of a common block of B in stripes: few rows, and a whole stripe wide where there are enough of them.
void cut_stripes(const BlockedPlan& plan, std::int64_t tiles_m, std::int64_t members,
                 Division& division) noexcept {
    const GemmCandidate& c = plan.candidate;
    division.stripes = members;
    const std::int64_t columns = even_block(plan.problem.n, c.nc * members, c.nr);
    const std::int64_t tiles = ceil_div(std::min(columns, plan.problem.n), c.nr * members);
    const std::int64_t rows = std::min(ceil_div(tiles_m, wanted_units), ceil_div(enough_rows, c.mr)),
                       strips = ceil_div(tiles_m, rows);
    const std::int64_t slices = std::min(ceil_div(least_units, strips), tiles);
    division.rows = rows * c.mr, division.columns = ceil_div(tiles, slices) * c.nr;
}

} // namespace

Units::Units(const Part& whole, std::int64_t rows, std::int64_t columns, Along along) noexcept
    : whole_(whole), rows_(rows), columns_(columns), strips_(ceil_div(whole.m.length(), rows)),
      slices_(ceil_div(whole.n.length(), columns)), along_(along) {}

Part Units::take(Range& units) const noexcept {
    // `lines` of `in_line` units each: strips of slices, or slices of strips.
    const std::int64_t in_line = along_ == Along::rows ? slices_ : strips_, in_matrix = strips_ * slices_,
                       all_lines = in_matrix / in_line, matrix = units.begin / in_matrix,
                       unit = units.begin % in_matrix, line = unit / in_line, place = unit % in_line,
                       left = units.length();
    std::int64_t matrices = 1, lines = all_lines, places = in_line;
    if (unit == 0 && left >= in_matrix) {
        matrices = left / in_matrix;
    } else if (place == 0 && left >= in_line) {
        lines = std::min(left / in_line, all_lines - line);
    } else {
        lines = 1;
        places = std::min(left, in_line - place);
    }
    units.begin += matrices * lines * places;
    const auto range = [](const Range& in, std::int64_t first, std::int64_t count, std::int64_t size) {
        const std::int64_t begin = in.begin + first * size;
        return Range{begin, std::min(in.end, begin + count * size)};
    };
    const Range batch = range(whole_.batch, matrix, matrices, 1);
    if (along_ == Along::rows)
        return {batch, range(whole_.m, line, lines, rows_), range(whole_.n, place, places, columns_)};
    return {batch, range(whole_.m, place, places, rows_), range(whole_.n, line, lines, columns_)};
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
    } else if (division.shares_b && can_have_stripes(plan, tiles_n, members)) {
        cut_stripes(plan, tiles_m, members, division);
    } else if (!plan.access.packed_b && p.m <= enough_rows && tiles_n >= least_units * members) {
        // Each piece reads a part of B that no other reads, in rows as long as can be.
        division.rows = tiles_m * c.mr;
        division.columns = ceil_div(tiles_n, least_units * members) * c.nr;
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
    return plan.division.shares_b ? plan.division.stripes : plan.division.threads;
}

} // namespace tune_gemm
