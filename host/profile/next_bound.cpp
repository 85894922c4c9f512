#include "profile/next_bound.hpp"

#include "report/units.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tune_gemm::host {
namespace {

/// Where less than this is lost in all, nothing is worth a look.
constexpr double little = 0.06;
/// Two units, each with a latency of four or five: the sums that keep them busy.
constexpr int sums_in_flight = 10;

int register_bytes_of(const Peak& peak) noexcept {
    return peak.instructions == "AVX-512" ? 64 : 32;
}

/// Why a tile is slow alone, by what its loop consists of.
std::string tile_reason(const Profile& profile, const InnerLoop& loop) {
    if (!loop.is_most())
        return "Its time is spread over several loops, so none of them is blamed.";
    if (loop.multiply_adds() == 0)
        return "It spends most of its time in a loop that does not multiply (see it with --asm).";
    const int peak_bytes = register_bytes_of(profile.peak);
    const int entries = static_cast<int>(loop.lines.size());
    if (loop.register_bytes <= 8)
        return fmt::format("Its inner loop takes one entry at a time ({}); vectors take several.",
                           loop.arithmetic);
    if (loop.register_bytes < peak_bytes)
        return fmt::format("Its inner loop computes on registers of {} bytes ({}), where {} has {}.",
                           loop.register_bytes, loop.arithmetic, profile.peak.instructions, peak_bytes);
    if (loop.fma == 0)
        return "Its inner loop multiplies and adds in two instructions, which is half of the peak at most; a "
               "fused multiply-add is one (TG_FUSED, and other bits).";
    if (loop.stores > 0)
        return fmt::format(
            "Its inner loop stores {} an iteration: sums that do not stay in registers. Unroll the "
            "loops over the tile, or make it smaller.",
            loop.stores == 1 ? "one register" : fmt::format("{} registers", loop.stores));
    const double loads = static_cast<double>(loop.loads) / loop.fma;
    if (loads > 0.95)
        return fmt::format(
            "Its inner loop has {:.2g} loads for each fused multiply-add, and neither goes more than two "
            "a cycle; a squarer tile uses each load more often.",
            loads);
    if (loop.sums < sums_in_flight)
        return fmt::format(
            "Its inner loop adds to {} registers, and each waits for itself four or five cycles; two units "
            "are busy with {} or more.",
            loop.sums, sums_in_flight);
    if (entries > 2 * (loop.fma + loop.loads))
        return fmt::format("Its inner loop has {} instructions for {} fused multiply-adds.", entries,
                           loop.fma);
    return fmt::format(
        "Its inner loop has {:.2g} loads for each fused multiply-add and {} sums, which is sound: "
        "look at what is before and after it, which k = {} has to pay for.",
        loads, loop.sums, profile.alone->k);
}

std::string tile_sentence(const Profile& profile, const InnerLoop* loop) {
    return fmt::format("The tile: alone it reaches {} of the {} peak.{}{}",
                       share_text(profile.peak.share_of(profile.alone->gflops)), profile.peak.instructions,
                       loop != nullptr ? " " : "", loop != nullptr ? tile_reason(profile, *loop) : "");
}

std::string packing_sentence(const Profile& profile, bool is_a) {
    const GemmCandidate& candidate = profile.resolution.candidate;
    const double share = is_a ? profile.shares->pack_a : profile.shares->pack_b;
    // The kernel's B is packed once for all rows in a block; its A once for all columns of a block.
    const bool kernels_a = is_a != profile.resolution.access.swapped;
    return fmt::format(
        "Packing of {}: {} of the time. A packed block is used more often with more {} or a larger "
        "{} than {}; where the tile takes {} in place, packing can be left out.",
        is_a ? "A" : "B", share_text(share), is_a ? "columns" : "rows", kernels_a ? "nc" : "mc",
        kernels_a ? candidate.nc : candidate.mc, is_a ? "A" : "B");
}

/// After a sentence about a share that the rounds disagree on.
std::string unsteady_text(double share, double spread) {
    return is_unsteady(share, spread)
               ? " That share is unsteady: another run, or a longer one (--seconds), may say otherwise."
               : "";
}

std::string least_sentence(const Profile& profile) {
    if (!profile.peak.is_known())
        return "Nothing around the tile takes much; the peak of this processor is not known here.";
    const std::string near =
        fmt::format("Nothing takes much: the product reaches {} of the {} peak.",
                    share_text(profile.peak.share_of(profile.product_gflops)), profile.peak.instructions);
    if (profile.processor_peak.instructions == profile.peak.instructions)
        return near;
    return fmt::format(
        "The instructions: the product reaches {} of the {} peak; with {} this processor's is {:.2g} "
        "times as high.",
        share_text(profile.peak.share_of(profile.product_gflops)), profile.peak.instructions,
        profile.processor_peak.instructions, profile.processor_peak.gflops / profile.peak.gflops);
}

} // namespace

Losses losses_of(const Profile& profile) noexcept {
    const TimeShares& shares = *profile.shares;
    const double alone =
        profile.product_gflops / profile.alone->gflops; // time of the work at the tile's own speed
    const double at_peak = profile.peak.is_known() ? profile.peak.share_of(profile.product_gflops) : alone;
    const auto above = [](double share, double least) { return std::max(share - least, 0.0); };
    return {.tile = above(alone, at_peak),
            .memory = above(shares.tile, alone * (1 - profile.edge_work)),
            .edges = above(shares.edges, alone * profile.edge_work),
            .pack_a = shares.pack_a,
            .pack_b = shares.pack_b,
            .rest = shares.rest};
}

std::string next_bound(const Profile& profile, const InnerLoop* loop) {
    if (!profile.shares)
        return profile.peak.is_known()
                   ? fmt::format("The whole product reaches {} of the {} peak; its "
                                 "blocking, packing and tiles are the "
                                 "kernel's own.",
                                 share_text(profile.peak.share_of(profile.product_gflops)),
                                 profile.peak.instructions)
                   : "The peak of this processor is not known here.";
    if (profile.tile_calls == 1)
        return fmt::format(
            "The call: the whole product is one call of the tile{}, in {}. What bounds the kernel shows at a "
            "larger shape (--shape).",
            profile.edge_work > 0 ? ", and less than a whole one" : "", duration_text(profile.product_ns));
    if (is_disturbed(profile.away))
        return fmt::format(
            "Other programs: they had the processor for {} of the product's time, so its rate and "
            "shares are not the kernel's. Run it again when the machine is idle.",
            share_text(profile.away));
    const Losses losses = losses_of(profile);
    const TimeShares &shares = *profile.shares, &spread = profile.spread;
    const double largest =
        std::max({losses.tile, losses.memory, losses.edges, losses.pack_a, losses.pack_b, losses.rest});
    if (largest < little)
        return least_sentence(profile);
    if (largest == losses.tile)
        return tile_sentence(profile, loop);
    if (largest == losses.edges)
        return fmt::format(
            "Edges: {} of the time for {} of the work. A tile that divides the shape better, or a "
            "faster way for the rest, saves most of it.{}",
            share_text(shares.edges), share_text(profile.edge_work),
            unsteady_text(shares.edges, spread.edges));
    if (largest == losses.pack_a)
        return packing_sentence(profile, true) + unsteady_text(shares.pack_a, spread.pack_a);
    if (largest == losses.pack_b)
        return packing_sentence(profile, false) + unsteady_text(shares.pack_b, spread.pack_b);
    if (largest == losses.rest)
        return fmt::format(
            "The driver: {} of the time goes into loops, calls and C{}; a larger tile is called less "
            "often.{}",
            share_text(shares.rest),
            profile.resolution.access.staged_c ? ", which is staged for a tile that does not take it "
                                                 "as it lies"
                                               : "",
            unsteady_text(shares.rest, spread.rest));
    return fmt::format(
        "Memory: in the driver the tile reaches {} of its speed alone, as its operands come from "
        "farther away. Look at other blocks (tune-gemm tune), at packing, and at fetching C ahead "
        "(next_c).",
        share_text(std::min(profile.in_driver_gflops() / profile.alone->gflops, 1.0)));
}

} // namespace tune_gemm::host
