#include "conformance/product_sweep.hpp"
#include "conformance/sizes.hpp"

#include <algorithm>
#include <array>

namespace tune_gemm::host {
namespace {

constexpr std::array<LoopOrder, 2> orders{LoopOrder::m_n_k, LoopOrder::n_k_m};
constexpr std::array<Packing, 4> packings{Packing::none, Packing::a, Packing::b, Packing::ab};

/// Extents around a block.
std::vector<std::int64_t> around(std::int64_t block, bool few) {
    std::vector<std::int64_t> values{block - 1, block, block + 1, 2 * block + 1};
    if (few)
        values = {std::max<std::int64_t>(block - 1, 1), block + 1};
    std::erase_if(values, [](std::int64_t value) { return value < 1; });
    return values;
}

ProductCase product_of(const CheckContext& context, std::int64_t m, std::int64_t n, std::int64_t k) {
    ProductCase product;
    product.whole_gemm = context.kernel.whole_gemm;
    product.problem.m = m, product.problem.n = n, product.problem.k = k;
    return product;
}

/// Exact data and such as show the order of summation, by turns.
Recipe changing_recipe(const CheckContext& context, std::int64_t turn) {
    return {turn % 2 == 0 ? Family::integers : Family::cancelling, turn % 11, 0,
            context.seed + static_cast<std::uint64_t>(turn)};
}

/// The orders and packings to try: those of the driver, or a whole-gemm kernel's own.
std::vector<std::pair<LoopOrder, Packing>> ways_of(const CheckContext& context) {
    if (context.kernel.whole_gemm)
        return {{LoopOrder::own, Packing::none}};
    std::vector<std::pair<LoopOrder, Packing>> ways;
    for (const LoopOrder order : orders)
        for (const Packing packing : packings)
            ways.emplace_back(order, packing);
    return ways;
}

std::int64_t largest(const std::vector<Blocking>& blockings, std::int64_t Blocking::*extent,
                     std::int64_t factor) {
    std::int64_t most = 0;
    for (const Blocking& blocking : blockings)
        most = std::max(most, blocking.*extent * (blocking.edges_only ? 1 : factor));
    return most + 1;
}

std::int64_t deepest(const std::vector<Blocking>& blockings) {
    std::int64_t most = 0;
    for (const Blocking& blocking : blockings)
        most = std::max(most, 2 * blocking.kc + 1);
    return most;
}

} // namespace

template <class T>
void sweep_blocks(const CheckContext& context, Tally& tally) {
    const auto blockings = blockings_for(context);
    ProductSweep<T> sweep(context, tally, largest(blockings, &Blocking::mc, 2),
                          largest(blockings, &Blocking::nc, 2), deepest(blockings), 1,
                          workspace_room(context, blockings));
    Deck layouts(8, context.seed);
    std::int64_t turn = 0;
    for (const Blocking& blocking : blockings) {
        const auto ms = around(blocking.mc, blocking.edges_only),
                   ns = around(blocking.nc, blocking.edges_only),
                   ks = around(blocking.kc, false); // several full blocks of k, whatever the tile
        Coverage& edges = tally.owes({{"m edge", static_cast<std::int64_t>(ms.size())},
                                      {"n edge", static_cast<std::int64_t>(ns.size())},
                                      {"k edge", static_cast<std::int64_t>(ks.size())},
                                      {"loop order", orders.size(), {"m_n_k", "n_k_m"}}});
        for (std::size_t im = 0; im < ms.size(); ++im)
            for (std::size_t in = 0; in < ns.size(); ++in)
                for (std::size_t ik = 0; ik < ks.size(); ++ik)
                    for (const auto& [order, packing] : ways_of(context)) {
                        ProductCase product = product_of(context, ms[im], ns[in], ks[ik]);
                        product.candidate = candidate_for(context, blocking, order, packing);
                        product.placement = ++turn % 2 == 0 ? Placement::flush_end : Placement::flush_start;
                        product.poison = static_cast<Poison>(turn % 3);
                        product.recipe = changing_recipe(context, turn);
                        product.problem.beta = turn / 2 % 2 == 0 ? 0 : 1;
                        // Some layout that this tile takes with this packing, if there is any.
                        const std::int64_t first = layouts.draw();
                        for (std::int64_t tries = 0; tries < 8; ++tries) {
                            set_layout(product.problem, static_cast<int>((first + tries) % 8), turn % 3);
                            if (!sweep.run(product))
                                continue;
                            edges.ran({static_cast<std::int64_t>(im), static_cast<std::int64_t>(in),
                                       static_cast<std::int64_t>(ik), order == LoopOrder::m_n_k ? 0 : 1});
                            break;
                        }
                    }
    }
    sweep.finish();
}

template <class T>
void sweep_layouts(const CheckContext& context, Tally& tally) {
    auto blockings = blockings_for(context);
    std::erase_if(blockings, [](const Blocking& blocking) { return blocking.mc * blocking.nc > 4096; });
    if (blockings.empty())
        blockings = {blockings_for(context).front()};
    constexpr std::array<std::int64_t, 2> batches{1, 3};
    ProductSweep<T> sweep(context, tally, largest(blockings, &Blocking::mc, 1),
                          largest(blockings, &Blocking::nc, 1), deepest(blockings), batches.back(),
                          workspace_room(context, blockings));
    Coverage& ran = tally.owes({{"layouts", 8, {"rrr", "crr", "rcr", "ccr", "rrc", "crc", "rcc", "ccc"}},
                                {"leading dimension", 3, {"tight", "+1", "+3"}},
                                {"batch", 2, {"1", "3"}}});
    std::int64_t turn = 0;
    for (const Blocking& blocking : blockings)
        for (int layouts = 0; layouts < 8; ++layouts)
            for (std::int64_t pad = 0; pad < 3; ++pad)
                for (std::size_t ib = 0; ib < batches.size(); ++ib)
                    for (const auto& [order, packing] : ways_of(context))
                        for (int shared = 0; shared < (batches[ib] == 1 ? 1 : 3); ++shared) {
                            // Extents all different, so that one taken for another shows.
                            ProductCase product =
                                product_of(context, blocking.mc + 1,
                                           std::max(blocking.nc - 1, std::int64_t{1}), blocking.kc + 2);
                            product.problem.batch = batches[ib];
                            product.problem.beta = ++turn % 2;
                            set_layout(product.problem, layouts, pad == 2 ? 3 : pad);
                            if (shared == 1)
                                product.problem.a.batch = 0;
                            if (shared == 2)
                                product.problem.b.batch = 0;
                            product.candidate = candidate_for(context, blocking, order, packing);
                            product.placement =
                                turn / 2 % 2 == 0 ? Placement::flush_end : Placement::flush_start;
                            product.recipe = changing_recipe(context, turn / 3);
                            sweep.run(product);
                            // A layout that the kernel refuses has been asked for; that some ran, the cases
                            // say.
                            ran.ran({layouts, pad, static_cast<std::int64_t>(ib)});
                        }
    sweep.finish();
}

template <class T>
void sweep_sizes(const CheckContext& context, Tally& tally) {
    const std::vector<std::int64_t> sizes{1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65};
    const std::int64_t most = sizes.back();
    ProductSweep<T> sweep(context, tally, most, most, most, 1, most_own_workspace);
    const auto count = static_cast<std::int64_t>(sizes.size());
    Coverage& ran = tally.owes({{"m", count}, {"n", count}, {"k", count}});
    Deck layouts(16, context.seed);
    std::int64_t turn = 0;
    for (std::size_t im = 0; im < sizes.size(); ++im)
        for (std::size_t in = 0; in < sizes.size(); ++in)
            for (std::size_t ik = 0; ik < sizes.size(); ++ik) {
                ProductCase product = product_of(context, sizes[im], sizes[in], sizes[ik]);
                product.candidate = candidate_for(context, {}, LoopOrder::own, Packing::none);
                const std::int64_t drawn = layouts.draw();
                set_layout(product.problem, static_cast<int>(drawn % 8), ++turn % 4);
                product.problem.beta = turn % 2;
                product.placement = drawn < 8 ? Placement::flush_end : Placement::flush_start;
                product.recipe = {Family::integers, turn, 0, context.seed};
                sweep.run(product);
                ran.ran({static_cast<std::int64_t>(im), static_cast<std::int64_t>(in),
                         static_cast<std::int64_t>(ik)});
            }
    sweep.finish();
}

template <class T>
void sweep_scalars(const CheckContext& context, Tally& tally) {
    auto blockings = blockings_for(context);
    blockings.resize(1);
    constexpr std::array<double, 7> alphas{1, 0, -1, 2, 0.7, 0x1p-30, 0x1p30};
    constexpr std::array<double, 7> betas{0, 1, -1, 0.5, 0.7, 0x1p-30, 0x1p30};
    ProductSweep<T> sweep(context, tally, largest(blockings, &Blocking::mc, 1),
                          largest(blockings, &Blocking::nc, 1), deepest(blockings), 1,
                          workspace_room(context, blockings));
    Coverage& ran = tally.owes({{"alpha", alphas.size()}, {"beta", betas.size()}});
    Coverage& poisoned = tally.owes({{"alpha", alphas.size()}, {"beta", betas.size()}});
    std::int64_t turn = 0;
    for (std::size_t ia = 0; ia < alphas.size(); ++ia)
        for (std::size_t ib = 0; ib < betas.size(); ++ib)
            for (const std::int64_t k : {std::int64_t{0}, std::int64_t{1}, 2 * blockings[0].kc + 1})
                for (int layouts = 0; layouts < 8; ++layouts)
                    for (const auto& [order, packing] : ways_of(context)) {
                        ProductCase product = product_of(context, blockings[0].mc + 1,
                                                         std::max(blockings[0].nc - 1, std::int64_t{1}), k);
                        product.problem.alpha = alphas[ia];
                        product.problem.beta = betas[ib];
                        set_layout(product.problem, layouts, ++turn % 3);
                        product.candidate = candidate_for(context, blockings[0], order, packing);
                        product.placement = turn % 2 == 0 ? Placement::flush_end : Placement::flush_start;
                        product.dirty_c = turn / 2 % 2 == 1;
                        product.recipe = {Family::cancelling, 0, 0,
                                          context.seed + static_cast<std::uint64_t>(turn)};
                        sweep.run(product);
                        ran.ran({static_cast<std::int64_t>(ia), static_cast<std::int64_t>(ib)});
                        // A NaN or infinity in what counts comes through; in what does not, it has no effect.
                        constexpr std::array<Family, 3> places{Family::nonfinite_c, Family::nonfinite_a,
                                                               Family::nonfinite_b};
                        for (std::size_t at = 0; at < (k == 1 ? places.size() : 0); ++at) {
                            product.recipe.family = places[at];
                            product.recipe.index = turn * 7;
                            product.recipe.variant =
                                static_cast<int>((turn + static_cast<std::int64_t>(at)) % 3);
                            sweep.run(product);
                            poisoned.ran({static_cast<std::int64_t>(ia), static_cast<std::int64_t>(ib)});
                        }
                    }
    sweep.finish();
}

template <class T>
void sweep_workspace(const CheckContext& context, Tally& tally) {
    const auto blockings = blockings_for(context);
    const bool own = context.kernel.whole_gemm;
    const std::int64_t m = own ? 80 : largest(blockings, &Blocking::mc, 2),
                       n = own ? 80 : largest(blockings, &Blocking::nc, 2), k = own ? 80 : deepest(blockings);
    ProductSweep<T> sweep(context, tally, m, n, k, 2, workspace_room(context, blockings));
    Coverage& ran = tally.owes({{"placement", 2, {"at the end", "at the start"}}, {"contents", 3}});
    Chance chance(context.seed);
    std::int64_t turn = 0, most_demand = 0;
    for (const Blocking& blocking : blockings)
        for (const auto& [order, packing] : ways_of(context))
            for (int count = 0; count < (own ? 300 : 24); ++count) {
                const std::int64_t factor = blocking.edges_only ? 1 : 2;
                ProductCase product =
                    own ? product_of(context, 1 + chance.below(m), 1 + chance.below(n), 1 + chance.below(k))
                        : product_of(context, 1 + chance.below(blocking.mc * factor),
                                     1 + chance.below(blocking.nc * factor),
                                     1 + chance.below(blocking.kc * factor));
                product.problem.batch = 1 + turn % 2;
                product.problem.beta = turn / 2 % 2 == 0 ? 0 : 1;
                set_layout(product.problem, static_cast<int>(chance.below(8)), chance.below(3));
                product.candidate = candidate_for(context, blocking, order, packing);
                product.workspace_exact = true;
                const std::int64_t contents = turn % 3, placement = turn / 3 % 2;
                product.poison = static_cast<Poison>(contents);
                product.placement = static_cast<Placement>(placement);
                product.recipe = changing_recipe(context, turn);
                ++turn;
                if (sweep.run(product))
                    most_demand = std::max(most_demand, sweep.rig().workspace_bytes());
                ran.ran({placement, contents});
            }
    sweep.finish();
    if (tally.cases() != 0 && most_demand == 0)
        skip_check("Asks for no workspace.");
}

template <class T>
void sweep_moving_workspace(const CheckContext& context, Tally& tally) {
    const auto blockings = blockings_for(context);
    const std::int64_t m = largest(blockings, &Blocking::mc, 2), n = largest(blockings, &Blocking::nc, 2),
                       k = deepest(blockings);
    ProductSweep<T> sweep(context, tally, m, n, k, 1, workspace_room(context, blockings));
    // At the same place twice, then elsewhere, and back.
    constexpr std::array<Placement, 6> places{Placement::flush_end,   Placement::flush_end,
                                              Placement::flush_start, Placement::flush_start,
                                              Placement::flush_end,   Placement::flush_start};
    Coverage& ran = tally.owes({{"run of one plan", places.size()}});
    std::int64_t turn = 0, most_demand = 0;
    for (const Blocking& blocking : blockings)
        for (const auto& [order, packing] : ways_of(context))
            for (int layouts = 0; layouts < 8; ++layouts) {
                ProductCase product = product_of(context, blocking.mc + 1, blocking.nc + 1, blocking.kc + 1);
                set_layout(product.problem, layouts, 1);
                product.candidate = candidate_for(context, blocking, order, packing);
                product.recipe = {Family::integers, 0, 0, context.seed};
                if (!sweep.rig().plan(product))
                    continue;
                most_demand = std::max(most_demand, sweep.rig().workspace_bytes());
                for (std::size_t run = 0; run < places.size(); ++run) {
                    product.placement = places[run];
                    product.poison = static_cast<Poison>(run % 3);
                    product.recipe = changing_recipe(context, ++turn);
                    sweep.run_again(product);
                    ran.ran({static_cast<std::int64_t>(run)});
                }
            }
    sweep.finish();
    if (tally.cases() != 0 && most_demand == 0)
        skip_check("Asks for no workspace.");
}

template void sweep_blocks<float>(const CheckContext&, Tally&);
template void sweep_blocks<double>(const CheckContext&, Tally&);
template void sweep_layouts<float>(const CheckContext&, Tally&);
template void sweep_layouts<double>(const CheckContext&, Tally&);
template void sweep_sizes<float>(const CheckContext&, Tally&);
template void sweep_sizes<double>(const CheckContext&, Tally&);
template void sweep_scalars<float>(const CheckContext&, Tally&);
template void sweep_scalars<double>(const CheckContext&, Tally&);
template void sweep_workspace<float>(const CheckContext&, Tally&);
template void sweep_workspace<double>(const CheckContext&, Tally&);
template void sweep_moving_workspace<float>(const CheckContext&, Tally&);
template void sweep_moving_workspace<double>(const CheckContext&, Tally&);

} // namespace tune_gemm::host
