// plan.: what a product comes out as does not depend on how it is carried out.
//
// Results of different plans are compared with each other, not with an oracle: those of sequential kernels
// bit for bit on data that shows the order of summation, those of reordered ones on data whose sums are exact
// in any order.
#include "conformance/descriptor.hpp"
#include "conformance/far_strides.hpp"
#include "conformance/plan_choices.hpp"
#include "conformance/plan_others.hpp"
#include "conformance/plan_rig.hpp"
#include "conformance/subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace tune_gemm::host {
namespace {

/// Which packings a candidate is tried with: its own, or, where packing is not what is compared, the first
/// one that its tile takes with this layout.
enum class Packed : std::uint8_t { as_given, as_taken };

template <class T>
bool plan_packed(PlanRig<T>& rig, GemmCandidate candidate, Packed packed, unsigned threads = 1) {
    if (packed == Packed::as_given || candidate.loop_order == LoopOrder::own)
        return rig.plan(candidate, threads);
    for (const Packing packing : {Packing::ab, Packing::b, Packing::a, Packing::none}) {
        candidate.packing = packing;
        if (rig.plan(candidate, threads))
            return true;
    }
    return false;
}

/// Every candidate on every layout, compared with the first that is accepted.
template <class T>
void compare_candidates(const CheckContext& context, Tally& tally, const std::vector<std::size_t>& tiles,
                        const Choices& choices, Packed packed) {
    PlanRig<T> rig(context, tiles);
    for (int layouts = 0; layouts < 8; ++layouts) {
        rig.set_problem(problem_for(context, choices, layouts),
                        context.seed + static_cast<unsigned>(layouts));
        std::vector<T> first;
        std::string first_told;
        for (const GemmCandidate& candidate : choices.candidates) {
            if (!plan_packed(rig, candidate, packed))
                continue;
            std::vector<T> entries = rig.run();
            if (first.empty()) {
                first = std::move(entries), first_told = rig.told();
                continue;
            }
            require_same(context, first, first_told, entries, rig.told(), choices.n);
            tally.ran();
        }
    }
}

void only_for_tiles(const CheckContext& context) {
    if (context.kernel.whole_gemm)
        skip_check("A whole-gemm kernel has blocks, packing and loops of its own.");
}

void check_blocks(const CheckContext& context, Tally& tally) {
    only_for_tiles(context);
    Choices choices = base_choices(context, context.tile);
    const GemmCandidate base = choices.candidates.front();
    const std::int64_t kr = std::max<std::int64_t>(context.tile->kr, 1);
    choices.candidates.clear();
    // One block for the whole product first, then each extent cut in several ways, alone and together.
    const std::int64_t whole_m = up_to_multiple(choices.m, base.mr),
                       whole_n = up_to_multiple(choices.n, base.nr), whole_k = up_to_multiple(choices.k, kr);
    for (const std::int64_t mc : {whole_m, base.mr, 2 * base.mr})
        for (const std::int64_t nc : {whole_n, base.nr, 2 * base.nr})
            for (const std::int64_t kc : {whole_k, kr, base.kc, up_to_multiple(choices.k / 2, kr),
                                          up_to_multiple(choices.k - 1, kr)}) {
                GemmCandidate made = base;
                made.mc = mc, made.nc = nc, made.kc = kc;
                choices.candidates.push_back(made);
            }
    with_type(context, [&](auto zero) {
        compare_candidates<decltype(zero)>(context, tally, tiles_of(context), choices, Packed::as_taken);
    });
}

/// Candidates that differ in loop order, or in packing, alone; at two blockings.
void compare_ways(const CheckContext& context, Tally& tally, const std::vector<LoopOrder>& orders,
                  const std::vector<Packing>& packings, Packed packed) {
    Choices choices = base_choices(context, context.tile);
    const GemmCandidate base = choices.candidates.front();
    choices.candidates.clear();
    for (const std::int64_t nc : {base.nr, base.nc})
        for (const Packing packing : packings)
            for (const LoopOrder order : orders) {
                GemmCandidate made = base;
                made.nc = nc, made.packing = packing, made.loop_order = order;
                choices.candidates.push_back(made);
            }
    with_type(context, [&](auto zero) {
        compare_candidates<decltype(zero)>(context, tally, tiles_of(context), choices, packed);
    });
}

void check_packing(const CheckContext& context, Tally& tally) {
    only_for_tiles(context);
    const auto both = [](tg_access access) { return (access & TG_PACKED) != 0 && access != TG_PACKED; };
    if (!both(context.tile->access_a) && !both(context.tile->access_b))
        skip_check("The tile takes neither A nor B both packed and in place, so there is one packing only.");
    compare_ways(context, tally, {LoopOrder::m_n_k}, {Packing::ab, Packing::a, Packing::b, Packing::none},
                 Packed::as_given);
}

void check_loop_order(const CheckContext& context, Tally& tally) {
    only_for_tiles(context);
    compare_ways(context, tally, {LoopOrder::m_n_k, LoopOrder::n_k_m}, {Packing::ab}, Packed::as_taken);
}

void check_tiles(const CheckContext& context, Tally& tally) {
    only_for_tiles(context);
    Choices choices;
    std::vector<std::size_t> tiles;
    for (std::size_t at = 0; at < context.kernel.tiles.size(); ++at) {
        const TileInfo& tile = context.kernel.tiles[at];
        tiles.push_back(at);
        Choices own = base_choices(context, &tile);
        choices.m = std::max(choices.m, own.m), choices.n = std::max(choices.n, own.n);
        choices.k = std::max(choices.k, own.k);
        GemmCandidate made = own.candidates.front();
        choices.candidates.push_back(made);
        if (tile.is_free()) {
            made.mr = made.mc = made.nr = made.nc = 1;
            choices.candidates.push_back(made);
        }
    }
    if (choices.candidates.size() < 2)
        skip_check("The kernel has a single tile.");
    with_type(context, [&](auto zero) {
        compare_candidates<decltype(zero)>(context, tally, tiles, choices, Packed::as_taken);
    });
    if (tally.cases() == 0)
        skip_check("No two tiles take a product of the same layout, so there is nothing to compare.");
}

/// Plans the product of each layout, in place where that is possible, and hands the rig over.
template <class T>
void each_plan(const CheckContext& context, std::int64_t batch,
               const std::function<void(PlanRig<T>&, const GemmCandidate&)>& use) {
    const Choices choices = base_choices(context, context.tile);
    PlanRig<T> rig(context, tiles_of(context));
    for (int layouts = 0; layouts < 8; ++layouts) {
        GemmCandidate candidate = choices.candidates.front();
        for (const Packing packing : {Packing::none, Packing::b, Packing::a, Packing::ab}) {
            if (!context.kernel.whole_gemm)
                candidate.packing = packing;
            GemmProblem problem = problem_for(context, choices, layouts);
            problem.batch = batch;
            rig.set_problem(problem, context.seed + static_cast<unsigned>(layouts));
            if (!rig.plan(candidate))
                continue;
            use(rig, candidate);
            if (packing == Packing::none)
                break; // packed operands lie where the driver puts them
        }
    }
}

template <class T>
void compare_places(const CheckContext& context, Tally& tally) {
    each_plan<T>(context, 1, [&](PlanRig<T>& rig, const GemmCandidate&) {
        const std::vector<T> first = rig.run();
        const std::string told = rig.told();
        for (std::size_t moved = 0; moved < 3; ++moved) {
            for (std::int64_t offset = sizeof(T); offset < 64; offset += sizeof(T)) {
                OperandPlaces places;
                places.offset[moved] = offset;
                places.pages = offset / static_cast<std::int64_t>(sizeof(T)) % 3;
                require_same(context, first, told, rig.run(places), rig.told(), rig.problem().n);
                tally.ran();
            }
        }
    });
}

template <class T>
void compare_repetitions(const CheckContext& context, Tally& tally) {
    constexpr int repetitions = 25, plans = 3;
    each_plan<T>(context, 1, [&](PlanRig<T>& rig, const GemmCandidate& candidate) {
        const std::vector<T> first = rig.run();
        const std::string told = "first " + rig.told();
        for (int plan = 0; plan < plans; ++plan) {
            for (int repetition = 0; repetition < repetitions; ++repetition) {
                const auto again = rig.run({}, T(repetition % 2 == 0 ? 0 : 1e30));
                require_same(
                    context, first, told, again,
                    fmt::format("repetition {} of plan {} of {}", repetition + 1, plan + 1, rig.told()),
                    rig.problem().n);
                tally.ran();
            }
            if (!rig.plan(candidate))
                fail_check(fmt::format("A plan that was accepted before is refused now: {}.", rig.told()));
        }
    });
}

/// A product worth sharing out: for a tile of several blocks in every direction, in both loop orders, and so
/// deep that the host's loops wake other threads for it.
Choices shared_choices(const CheckContext& context) {
    Choices choices = base_choices(context, context.tile);
    if (context.kernel.whole_gemm) {
        choices.m = 70, choices.n = 90, choices.k = 110;
        return choices;
    }
    constexpr std::int64_t work = 1 << 21; // multiply-adds
    GemmCandidate base = choices.candidates.front();
    choices.m = 4 * base.mr + 1, choices.n = 3 * base.nc + 1;
    choices.k = std::max(choices.k, work / (choices.m * choices.n) + 1);
    base.kc = up_to_multiple(choices.k / 4 + 1, std::max<std::int64_t>(context.tile->kr, 1));
    choices.candidates.clear();
    for (const LoopOrder order : {LoopOrder::m_n_k, LoopOrder::n_k_m}) {
        choices.candidates.push_back(base);
        choices.candidates.back().loop_order = order;
    }
    return choices;
}

template <class T>
void compare_threads(const CheckContext& context, Tally& tally) {
    const Choices choices = shared_choices(context);
    PlanRig<T> rig(context, tiles_of(context));
    Coverage& ran = tally.owes({{"threads", 3, {"2 threads", "3 threads", "7 threads"}}});
    constexpr std::int64_t enough = 9; // of these long products
    for (int layouts = 0; layouts < 8 && tally.cases() < enough; ++layouts) {
        rig.set_problem(problem_for(context, choices, layouts),
                        context.seed + static_cast<unsigned>(layouts));
        for (const GemmCandidate& candidate : choices.candidates) {
            if (!plan_packed(rig, candidate, Packed::as_taken))
                continue;
            const std::vector<T> alone = rig.run();
            const std::string told = rig.told();
            for (const unsigned threads : {2u, 3u, 7u}) {
                if (!plan_packed(rig, candidate, Packed::as_taken, threads))
                    fail_check(
                        fmt::format("A product that was planned for one thread is refused: {}.", rig.told()));
                require_same(context, alone, told, rig.run(), rig.told(), choices.n);
                tally.ran();
                ran.ran({threads == 2 ? 0 : threads == 3 ? 1 : 2});
            }
        }
    }
}

template <class T>
void compare_batch(const CheckContext& context, Tally& tally) {
    constexpr std::int64_t batch = 3;
    for (int shared = 0; shared < 3; ++shared) {
        each_plan<T>(context, batch, [&](PlanRig<T>& rig, const GemmCandidate& candidate) {
            GemmProblem problem = rig.problem();
            if (shared == 1)
                problem.a.batch = 0;
            if (shared == 2)
                problem.b.batch = 0;
            rig.set_problem(problem, context.seed);
            if (!rig.plan(candidate))
                return;
            const std::vector<T> all = rig.run();
            const std::string told = rig.told();
            const std::int64_t entries = problem.m * problem.n;
            for (std::int64_t at = 0; at < batch; ++at) {
                rig.set_problem(problem, context.seed);
                rig.take_matrix_alone(at);
                if (!rig.plan(candidate))
                    continue;
                const std::vector<T> alone = rig.run();
                const std::vector<T> part(all.begin() + at * entries, all.begin() + (at + 1) * entries);
                require_same(context, part, fmt::format("{} as matrix {}", told, at), alone, rig.told(),
                             problem.n);
                tally.ran();
            }
        });
    }
}

void check_placement(const CheckContext& context, Tally& tally) {
    with_type(context, [&](auto zero) { compare_places<decltype(zero)>(context, tally); });
}

void check_repetition(const CheckContext& context, Tally& tally) {
    with_type(context, [&](auto zero) { compare_repetitions<decltype(zero)>(context, tally); });
}

void check_threads(const CheckContext& context, Tally& tally) {
    if (context.kernel.whole_gemm &&
        read_descriptor(read_descriptor(context.kernel.kernel).gemm).max_threads < 2)
        skip_check("The kernel says that it uses one thread.");
    with_type(context, [&](auto zero) { compare_threads<decltype(zero)>(context, tally); });
}

void check_batch(const CheckContext& context, Tally& tally) {
    with_type(context, [&](auto zero) { compare_batch<decltype(zero)>(context, tally); });
}

void check_others(const CheckContext& context, Tally& tally) {
    with_type(context, [&](auto zero) { run_beside_others<decltype(zero)>(context, tally); });
}

void check_far_strides(const CheckContext& context, Tally& tally) {
    with_type(context, [&](auto zero) { run_far_strides<decltype(zero)>(context, tally); });
}

using std::chrono::seconds;

const Check plan_table[] = {
    {"plan.blocks", "The result does not depend on mc, nc and kc.", Severity::must, Scope::tile, seconds(20),
     check_blocks},
    {"plan.packing", "The result does not depend on which operands are packed.", Severity::must, Scope::tile,
     seconds(10), check_packing},
    {"plan.loop_order", "The result does not depend on the order of the loops over blocks.", Severity::must,
     Scope::tile, seconds(10), check_loop_order},
    {"plan.tiles", "Every tile of a kernel gives the same result.", Severity::must, Scope::kernel,
     seconds(20), check_tiles},
    {"plan.placement", "The result does not depend on where operands lie.", Severity::must, Scope::tile,
     seconds(20), check_placement},
    {"plan.repetition", "The same product gives the same result each time.", Severity::must, Scope::tile,
     seconds(20), check_repetition},
    {"plan.others", "A plan gives the same whatever other plans are made, run or released beside it.",
     Severity::must, Scope::tile, seconds(20), check_others},
    {"plan.threads", "The result does not depend on the number of threads.", Severity::must, Scope::tile,
     seconds(20), check_threads},
    {"plan.batch", "A batch gives what its products give one by one.", Severity::must, Scope::tile,
     seconds(20), check_batch},
    {"plan.far_strides", "Strides may be so large that distances do not fit 32 bits.", Severity::must,
     Scope::tile, seconds(30), check_far_strides},
};

} // namespace

std::span<const Check> plan_checks() noexcept {
    return plan_table;
}

} // namespace tune_gemm::host
