// tail.: what is left over when extents are no multiples of tile, unrolling and block.
#include "conformance/far_strides.hpp"
#include "conformance/product_sweep.hpp"
#include "conformance/strides.hpp"
#include "conformance/subject.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace tune_gemm::host {
namespace {

/// A measure of work, about a nanosecond each: what one call costs besides, for each element of the operands,
/// and for each multiply-add. Counted, not measured, so that every run has the same cases.
std::int64_t call_cost(std::int64_t m, std::int64_t n, std::int64_t k) noexcept {
    return 500 + 3 * (m * k + k * n + 3 * m * n) + m * n * k;
}
constexpr std::int64_t budget = 2'000'000'000;

/// m, n and k for tail.residues, and the factor by which the combinations of forms have to be thinned out.
struct ResiduePlan {
    std::int64_t m_most, n_most;
    std::vector<std::int64_t> k;
    std::int64_t every = 1; ///< of the inner combinations, one in so many is run; over the sizes all come up
    bool one_k_per_residue = false; ///< besides, one k of each residue at each (m, n)
};

ResiduePlan plan_residues(const TileExtents& tile, std::int64_t combinations) {
    ResiduePlan plan;
    plan.m_most = tile.free ? std::min<std::int64_t>(tile.mr, 8) : tile.mr;
    plan.n_most = tile.free ? std::min<std::int64_t>(tile.nr, 8) : tile.nr;
    plan.k = tail_depths(tile.unroll);
    const auto depths = static_cast<std::int64_t>(plan.k.size());
    const auto cost = [&] {
        return plan.m_most * plan.n_most * call_cost(plan.m_most / 2 + 1, plan.n_most / 2 + 1, depths / 2);
    };
    const std::int64_t kept = std::max<std::int64_t>(budget / cost(), 1); // calls at each (m, n)
    plan.one_k_per_residue = kept < depths;
    const std::int64_t depths_run = plan.one_k_per_residue ? tile.unroll : depths;
    plan.every = std::clamp<std::int64_t>(depths_run * combinations / kept, 1, combinations);
    return plan;
}

/// The full cross product of residues, in every declared form.
template <class T>
void run_residues(const CheckContext& context, Tally& tally) {
    const TileExtents tile = extents_of(*context.tile);
    TileRig<T> rig(context, tile.free ? 8 : tile.mr, tile.free ? 8 : tile.nr, 4 * tile.unroll + 19);
    const std::int64_t combinations = rig.variations() * 2; // storing and accumulating
    const ResiduePlan plan = plan_residues(tile, combinations);
    const std::int64_t u = tile.unroll;
    Coverage& residues = tally.owes({{"m - 1", plan.m_most}, {"n - 1", plan.n_most}, {"k mod unroll", u}});
    Coverage& variations = tally.owes({{"accumulating", 2}, {"variation of forms", rig.variations()}});
    Coverage& depths = tally.owes({{"k", static_cast<std::int64_t>(plan.k.size())}});
    Numbers<T> numbers;
    std::array<Expectation<T>, 2> expected;
    Deck deck(combinations, context.seed);
    for (std::int64_t m = 1; m <= plan.m_most; ++m) {
        for (std::int64_t n = 1; n <= plan.n_most; ++n) {
            for (const std::int64_t k : plan.k) {
                if (plan.one_k_per_residue && k / u % 4 != (m + n) % 4)
                    continue;
                numbers.resize(m, n, k);
                const Recipe recipe{Family::integers, m + n, 0, context.seed};
                fill(numbers, recipe);
                expect(expected[0], numbers, false, context.kernel.arithmetic, recipe.family);
                expect(expected[1], numbers, true, context.kernel.arithmetic, recipe.family);
                for (std::int64_t count = 0; count < combinations; count += plan.every) {
                    const std::int64_t drawn = deck.draw();
                    const bool accumulate = drawn % 2 == 1;
                    TileCase made = rig.vary(m, n, k, drawn / 2);
                    made.accumulate = accumulate;
                    made.recipe = recipe;
                    rig.run(made, numbers, expected[accumulate]);
                    tally.ran();
                    variations.ran({accumulate, drawn / 2});
                }
                residues.ran({m - 1, n - 1, k % u});
                depths.ran({k});
            }
        }
    }
    rig.finish();
}

void check_residues(const CheckContext& context, Tally& tally) {
    if (context.kernel.whole_gemm)
        skip_check("A whole-gemm kernel declares no tile; tail.products takes its place.");
    with_type(context, [&](auto zero) { run_residues<decltype(zero)>(context, tally); });
}

/// A free tile up to its maximum: it may have inner steps of its own, so every m and n runs, with few k.
template <class T>
void run_free(const CheckContext& context, Tally& tally) {
    const TileExtents tile = extents_of(*context.tile);
    const std::array<std::int64_t, 3> depths{1, 2, 7};
    TileRig<T> rig(context, tile.mr, tile.nr, depths.back());
    Coverage& sizes = tally.owes({{"m - 1", tile.mr}, {"n - 1", tile.nr}});
    Deck deck(rig.variations() * 2, context.seed);
    Numbers<T> numbers;
    Expectation<T> expected;
    for (std::int64_t m = 1; m <= tile.mr; ++m) {
        for (std::int64_t n = 1; n <= tile.nr; ++n) {
            const std::int64_t k = depths[static_cast<std::size_t>((m + n) % 3)];
            numbers.resize(m, n, k);
            const Recipe recipe{Family::integers, m * n, 0, context.seed};
            fill(numbers, recipe);
            for (const bool accumulate : {false, true}) {
                expect(expected, numbers, accumulate, context.kernel.arithmetic, recipe.family);
                for (int count = 0; count < 2; ++count) {
                    TileCase made = rig.vary(m, n, k, deck.draw() / 2);
                    made.accumulate = accumulate;
                    made.recipe = recipe;
                    rig.run(made, numbers, expected);
                    tally.ran();
                }
            }
            sizes.ran({m - 1, n - 1});
        }
    }
    rig.finish();
}

void check_free(const CheckContext& context, Tally& tally) {
    if (context.tile == nullptr || !context.tile->is_free())
        skip_check("Not a free tile; tail.residues runs every m and n of a fixed one.");
    with_type(context, [&](auto zero) { run_free<decltype(zero)>(context, tally); });
}

/// Every k up to 130, and then those around powers of two and thousands.
template <class T>
void run_long_sums(const CheckContext& context, Tally& tally) {
    Sizes sizes = edge_sizes(context);
    sizes.k.clear();
    for (std::int64_t k = 0; k <= 130; ++k)
        sizes.k.push_back(k);
    for (const std::int64_t around : {192, 256, 384, 512, 1000, 1024, 2048, 4096})
        sizes.k.insert(sizes.k.end(), {around - 1, around, around + 1});
    const auto subject = make_subject<T>(context, sizes);
    Coverage& depths = tally.owes({{"k", static_cast<std::int64_t>(sizes.k.size())}});
    Deck deck(subject->variations() * 2, context.seed);
    Numbers<T> numbers;
    Expectation<T> expected;
    for (std::size_t at = 0; at < sizes.k.size(); ++at) {
        const std::int64_t k = sizes.k[at];
        for (const std::int64_t m : {sizes.m.back(), sizes.m.front()}) {
            for (const std::int64_t n : {sizes.n.back(), sizes.n.front()}) {
                for (const Family family : {Family::integers, Family::cancelling}) {
                    // Exact sums in 113 bits are slow; the long ones are left to few entries.
                    const bool slow = judging_of(context.kernel.arithmetic, family) == Judging::bound;
                    if (slow && m * n * k > 100'000)
                        continue;
                    numbers.resize(m, n, k);
                    const Recipe recipe{family, k, 0, context.seed + static_cast<std::uint64_t>(k)};
                    fill(numbers, recipe);
                    const std::int64_t drawn = deck.draw();
                    expect(expected, numbers, drawn % 2 == 1, context.kernel.arithmetic, family);
                    if (subject->run(numbers, expected, recipe, drawn % 2 == 1, drawn / 2))
                        tally.ran();
                }
            }
        }
        depths.ran({static_cast<std::int64_t>(at)});
    }
    subject->finish();
}

void check_padding(const CheckContext& context, Tally& tally) {
    with_type(context, [&](auto zero) { run_separate_rows<decltype(zero)>(context, tally); });
}

void check_long_sums(const CheckContext& context, Tally& tally) {
    with_type(context, [&](auto zero) { run_long_sums<decltype(zero)>(context, tally); });
}

void check_block_ends(const CheckContext& context, Tally& tally) {
    if (context.kernel.whole_gemm)
        skip_check("A whole-gemm kernel has blocks of its own; tail.products takes its place.");
    with_type(context, [&](auto zero) { sweep_blocks<decltype(zero)>(context, tally); });
}

void check_layouts(const CheckContext& context, Tally& tally) {
    with_type(context, [&](auto zero) { sweep_layouts<decltype(zero)>(context, tally); });
}

void check_products(const CheckContext& context, Tally& tally) {
    if (!context.kernel.whole_gemm)
        skip_check("Not a whole-gemm kernel; tail.residues and tail.blocks take its place.");
    with_type(context, [&](auto zero) { sweep_sizes<decltype(zero)>(context, tally); });
}

void check_scalars(const CheckContext& context, Tally& tally) {
    with_type(context, [&](auto zero) { sweep_scalars<decltype(zero)>(context, tally); });
}

using std::chrono::seconds;

const Check tail_table[] = {
    {"tail.residues",
     "Every m up to mr, with every n up to nr, with every k around the unrolling, in every declared form.",
     Severity::must, Scope::tile, seconds(20), check_residues},
    {"tail.free", "A free tile takes every m and n up to its maximum.", Severity::must, Scope::tile,
     seconds(20), check_free},
    {"tail.strides",
     "Strides may be anything that the form allows, and operands need no more alignment than an element.",
     Severity::must, Scope::tile, seconds(20), check_strides},
    {"tail.padding",
     "What lies between the rows of an operand is neither read nor written, not even for a moment.",
     Severity::must, Scope::tile, seconds(20), check_padding},
    {"tail.long_sums", "k may be anything: every one up to 130, and around larger powers of two.",
     Severity::must, Scope::tile, seconds(20), check_long_sums},
    {"tail.blocks",
     "Products that end just before, at and just after a block are right, in every loop order and packing.",
     Severity::must, Scope::tile, seconds(20), check_block_ends},
    {"tail.layouts", "All eight layouts, tight and padded, alone and in batches, give the same product.",
     Severity::must, Scope::tile, seconds(20), check_layouts},
    {"tail.products", "A whole product is right at every small size and around powers of two.",
     Severity::must, Scope::tile, seconds(20), check_products},
    {"tail.scalars",
     "alpha and beta, zeros and ones among them, act on every entry; what they exclude is not read.",
     Severity::must, Scope::tile, seconds(20), check_scalars},
};

} // namespace

std::span<const Check> tail_checks() noexcept {
    return tail_table;
}

} // namespace tune_gemm::host
