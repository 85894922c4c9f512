#include "cli/profile_report.hpp"

#include "profile/next_bound.hpp"
#include "report/table.hpp"
#include "report/units.hpp"

#include <tune_gemm/config.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdlib>
#include <memory>

#include <cxxabi.h>

namespace tune_gemm::host {
namespace {

std::string share_of_peak(const Peak& peak, double rate) {
    return peak.is_known() ? share_text(peak.share_of(rate)) : "-";
}

std::string tile_name(const ProfiledTile& tile) {
    const GemmCandidate& candidate = tile.profile.resolution.candidate;
    return tile.profile.alone ? fmt::format("{}x{}", candidate.mr, candidate.nr) : "own";
}

std::string peak_text(const Peak& peak, const Peak& processor) {
    if (!peak.is_known())
        return "not known: there is no loop of fused multiply-adds for this processor";
    const std::string text =
        fmt::format("{} GFLOP/s, fused multiply-adds of {}, measured in turn with the rest",
                    rate_text(peak.gflops), peak.instructions);
    return processor.instructions == peak.instructions
               ? text
               : fmt::format("{}; with {} the processor reaches {}", text, processor.instructions,
                             rate_text(processor.gflops));
}

/// The columns whose shares are unsteady; in JSON by their names there.
std::vector<std::string> unsteady_shares(const Profile& profile, bool for_json) {
    struct Part {
        const char *column, *name;
        double TimeShares::*share;
    };
    std::vector<std::string> found;
    for (const Part& part : {Part{"TILES", "tiles", &TimeShares::tile},
                             {"EDGES", "edges", &TimeShares::edges},
                             {"PACK A", "pack_a", &TimeShares::pack_a},
                             {"PACK B", "pack_b", &TimeShares::pack_b},
                             {"REST", "rest", &TimeShares::rest}})
        if (is_unsteady(*profile.shares.*part.share, profile.spread.*part.share))
            found.emplace_back(for_json ? part.name : part.column);
    return found;
}

/// A line on what of the table may as well be nothing; empty when all is steady.
std::string unsteady_note(const ProfiledKernel& found) {
    std::vector<std::string> all;
    for (const ProfiledTile& tile : found.tiles)
        if (const auto columns = unsteady_shares(tile.profile, false); !columns.empty())
            all.push_back(fmt::format("{} of {}", fmt::join(columns, ", "), tile_name(tile)));
    return all.empty()
               ? ""
               : fmt::format("Unsteady, as the rounds disagree by more than the share: {}. A longer run "
                             "(--seconds) may settle it.\n",
                             fmt::join(all, "; "));
}

/// "41.20 GFLOP/s, 1.9 times one thread"
std::string threaded_text(const Profile& profile) {
    return fmt::format("{} GFLOP/s, {:.2f} times one thread", rate_text(profile.threaded->gflops),
                       profile.threaded->gflops / profile.product_gflops);
}

std::string tiles_table(const ProfiledKernel& found) {
    Table table({{"TILE"},
                 {"ALONE", Align::right},
                 {"OF PEAK", Align::right},
                 {"IN DRIVER", Align::right},
                 {"PRODUCT", Align::right},
                 {"OF PEAK", Align::right},
                 {"TILES", Align::right},
                 {"EDGES", Align::right},
                 {"PACK A", Align::right},
                 {"PACK B", Align::right},
                 {"REST", Align::right}});
    for (const ProfiledTile& tile : found.tiles) {
        const Profile& profile = tile.profile;
        const TimeShares& shares = *profile.shares;
        table.add_row(
            {tile_name(tile), rate_text(profile.alone->gflops),
             share_of_peak(profile.peak, profile.alone->gflops),
             std::isfinite(profile.in_driver_gflops()) ? rate_text(profile.in_driver_gflops()) : "-",
             rate_text(profile.product_gflops), share_of_peak(profile.peak, profile.product_gflops),
             share_text(shares.tile), profile.edge_work > 0 ? share_text(shares.edges) : "none",
             share_text(shares.pack_a), share_text(shares.pack_b), share_text(shares.rest)});
    }
    return table.text();
}

std::string threads_text(const ProfiledKernel& found) {
    const std::optional<Threaded>& first = found.tiles.front().profile.threaded;
    if (!first)
        return {};
    std::string text = fmt::format("\nThe product on {} threads\n", first->threads);
    for (const ProfiledTile& tile : found.tiles)
        text += fmt::format("  {:<6} {}\n", tile_name(tile), threaded_text(tile.profile));
    return text;
}

std::string demangled(const std::string& name) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
    return status == 0 && text != nullptr ? text.get() : name;
}

std::string operations_text(const InnerLoop& loop) {
    if (loop.multiply_adds() == 0)
        return fmt::format(
            "nothing that multiplies (instructions of x86-64 are looked for), {} loads, {} stores, {} "
            "instructions in all",
            loop.loads, loop.stores, loop.lines.size());
    const std::string multiplied = loop.fma > 0 ? fmt::format("{} fused multiply-adds", loop.fma)
                                                : fmt::format("{} multiplications and {} additions",
                                                              loop.multiplications, loop.additions);
    return fmt::format("{} ({}) on {} bytes, {} loads, {} stores, {} sums, {} instructions in all",
                       multiplied, loop.arithmetic, loop.register_bytes, loop.loads, loop.stores, loop.sums,
                       loop.lines.size());
}

std::string loop_text(const ProfiledTile& tile) {
    if (tile.loop() == nullptr)
        return fmt::format("inner loop of {}: {}\n", tile_name(tile), tile.inner.absent);
    const InnerLoop& loop = *tile.loop();
    const std::string function = demangled(loop.lines.front().function);
    std::string text = fmt::format(
        "inner loop of {}{}\nseen there in {} of {} samples, of the tile alone\nin an iteration: {}\n",
        tile_name(tile), function.empty() ? "" : ", in " + function, loop.samples, loop.all_samples,
        operations_text(loop));
    for (const CodeLine& line : loop.lines)
        text += fmt::format("  {:8x}  {}\n", line.address, line.text);
    return text;
}

json::object loop_json(const InnerLoop& loop) {
    json::object object;
    object["function"] = loop.lines.front().function;
    object["samples"] = loop.samples;
    object["samples_in_all"] = loop.all_samples;
    object["fma"] = loop.fma;
    object["multiplications"] = loop.multiplications;
    object["additions"] = loop.additions;
    object["loads"] = loop.loads;
    object["stores"] = loop.stores;
    object["sums"] = loop.sums;
    object["register_bytes"] = loop.register_bytes;
    json::array lines;
    for (const CodeLine& line : loop.lines)
        lines.push_back(json::object{{"address", fmt::format("{:x}", line.address)}, {"text", line.text}});
    object["instructions"] = std::move(lines);
    return object;
}

/// Four digits are more than a measurement has.
double figure(double value) {
    return std::strtod(fmt::format("{:.4g}", value).c_str(), nullptr);
}

json::object shares_json(const TimeShares& shares) {
    return {{"tiles", figure(shares.tile)},
            {"edges", figure(shares.edges)},
            {"pack_a", figure(shares.pack_a)},
            {"pack_b", figure(shares.pack_b)},
            {"rest", figure(shares.rest)}};
}

json::object tile_json(const ProfiledTile& tile, bool assembly) {
    const Profile& profile = tile.profile;
    json::object object;
    object["tile"] = tile_name(tile);
    object["candidate"] = candidate_id(profile.resolution.candidate);
    object["peak"] =
        json::object{{"instructions", profile.peak.instructions}, {"gflops", figure(profile.peak.gflops)}};
    object["processor_peak"] = json::object{{"instructions", profile.processor_peak.instructions},
                                            {"gflops", figure(profile.processor_peak.gflops)}};
    const auto rate = [&](double gflops) {
        json::object rate{{"gflops", figure(gflops)}};
        if (profile.peak.is_known())
            rate["of_peak"] = figure(profile.peak.share_of(gflops));
        return rate;
    };
    object["product"] = rate(profile.product_gflops);
    if (profile.alone) {
        json::object alone = rate(profile.alone->gflops);
        alone["k"] = profile.alone->k;
        object["alone"] = std::move(alone);
        object["in_driver"] = rate(profile.in_driver_gflops());
        object["shares"] = shares_json(*profile.shares);
        object["spread"] = shares_json(profile.spread);
        json::array unsteady;
        for (const std::string& name : unsteady_shares(profile, true))
            unsteady.emplace_back(name);
        object["unsteady"] = std::move(unsteady);
        object["edge_work"] = figure(profile.edge_work);
        object["away"] = figure(profile.away);
    }
    if (profile.threaded) {
        object["threaded"] =
            json::object{{"threads", profile.threaded->threads},
                         {"gflops", figure(profile.threaded->gflops)},
                         {"times_one_thread", figure(profile.threaded->gflops / profile.product_gflops)}};
    }
    object["next"] = next_bound(profile, tile.loop());
    if (assembly && tile.loop() != nullptr)
        object["inner_loop"] = loop_json(*tile.loop());
    if (assembly && !tile.inner.absent.empty())
        object["no_inner_loop"] = tile.inner.absent;
    return object;
}

} // namespace

std::string profile_text(const ProfiledKernel& found, bool assembly) {
    const ProfiledTile& first = found.tiles.front();
    FactList facts;
    facts.add("kernel", fmt::format("{}, {}", found.kernel.id, to_text(found.kernel.arithmetic)));
    facts.add("plugin", found.plugin.path.string());
    facts.add("product",
              fmt::format("{}, layouts {}, one thread", shape_text(found.shape), layouts_text(found.shape)));
    facts.add("peak", peak_text(first.profile.peak, first.profile.processor_peak));
    if (found.kernel.whole_gemm) {
        facts.add("rate", fmt::format("{} GFLOP/s{}", rate_text(first.profile.product_gflops),
                                      first.profile.peak.is_known()
                                          ? fmt::format(", {} of the peak",
                                                        share_of_peak(first.profile.peak,
                                                                      first.profile.product_gflops))
                                          : ""));
        if (first.profile.threaded)
            facts.add(fmt::format("{} threads", first.profile.threaded->threads),
                      threaded_text(first.profile));
        facts.add("inside",
                  "not seen: tiles, packing and edges are the kernel's own, and no part of it can be left "
                  "out from outside");
        return facts.text();
    }
    std::string text = fmt::format("{}\n{}\n", facts.text(), tiles_table(found));
    text += fmt::format(
        "Rates in GFLOP/s; ALONE: on packed operands in the nearest cache, k = {}. The last five are "
        "shares of the product's time.\n",
        first.profile.alone->k);
    text += unsteady_note(found);
    if (found.free_tile)
        text += fmt::format("The tile is free: {} is one size of many; --tile MRxNR takes another.\n",
                            tile_name(first));
    text += threads_text(found) + "\nWhat bounds it next\n";
    for (const ProfiledTile& tile : found.tiles)
        text += fmt::format("  {:<6} {}\n", tile_name(tile), next_bound(tile.profile, tile.loop()));
    if (!assembly)
        return text;
    if (!found.no_assembly.empty())
        return text + "\n" + found.no_assembly + "\n";
    for (const ProfiledTile& tile : found.tiles)
        text += "\n" + loop_text(tile);
    return text;
}

json::object profiled_json(const ProfiledKernel& found, bool assembly) {
    json::object object;
    object["kernel"] = found.kernel.id;
    object["class"] = to_text(found.kernel.arithmetic);
    object["plugin"] = found.plugin.path.string();
    object["sha256"] = found.plugin.sha256;
    object["shape"] = shape_json(found.shape);
    object["whole_gemm"] = found.kernel.whole_gemm;
    json::array tiles;
    for (const ProfiledTile& tile : found.tiles)
        tiles.push_back(tile_json(tile, assembly));
    object["tiles"] = std::move(tiles);
    if (found.free_tile)
        object["free_tile"] = true;
    if (assembly && !found.no_assembly.empty())
        object["no_assembly"] = found.no_assembly;
    return object;
}

} // namespace tune_gemm::host
