#include "cli/profile_report.hpp"

#include "profile/next_bound.hpp"
#include "report/table.hpp"
#include "report/units.hpp"

#include <tune_gemm/config.hpp>

#include <fmt/format.h>

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
        table.add_row({tile_name(tile), rate_text(profile.alone->gflops),
                       share_of_peak(profile.peak, profile.alone->gflops),
                       rate_text(profile.in_driver_gflops()), rate_text(profile.product_gflops),
                       share_of_peak(profile.peak, profile.product_gflops), share_text(shares.tile),
                       share_text(shares.edges), share_text(shares.pack_a), share_text(shares.pack_b),
                       share_text(shares.rest)});
    }
    return table.text();
}

std::string demangled(const std::string& name) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
    return status == 0 && text != nullptr ? text.get() : name;
}

std::string operations_text(const InnerLoop& loop) {
    const std::string multiplied = loop.fma > 0 ? fmt::format("{} fused multiply-adds", loop.fma)
                                                : fmt::format("{} multiplications and {} additions",
                                                              loop.multiplications, loop.additions);
    return fmt::format("{} ({}) on {} bytes, {} loads, {} stores, {} sums, {} instructions in all",
                       multiplied, loop.arithmetic, loop.register_bytes, loop.loads, loop.stores, loop.sums,
                       loop.lines.size());
}

std::string loop_text(const ProfiledTile& tile) {
    if (!tile.loop)
        return fmt::format(
            "inner loop of {}: none was found that multiplies (instructions of x86-64 are looked "
            "for)\n",
            tile_name(tile));
    const InnerLoop& loop = *tile.loop;
    const std::string function = demangled(loop.lines.front().function);
    std::string text = fmt::format("inner loop of {}{}\nin an iteration: {}\n", tile_name(tile),
                                   function.empty() ? "" : ", in " + function, operations_text(loop));
    for (const CodeLine& line : loop.lines)
        text += fmt::format("  {:8x}  {}\n", line.address, line.text);
    return text;
}

json::object loop_json(const InnerLoop& loop) {
    json::object object;
    object["function"] = loop.lines.front().function;
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

/// Figures for people; four digits are more than a measurement has.
std::string figure(double value) {
    return fmt::format("{:.4g}", value);
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
        const TimeShares& shares = *profile.shares;
        object["shares"] = json::object{{"tiles", figure(shares.tile)},
                                        {"edges", figure(shares.edges)},
                                        {"pack_a", figure(shares.pack_a)},
                                        {"pack_b", figure(shares.pack_b)},
                                        {"rest", figure(shares.rest)}};
    }
    object["next"] = next_bound(profile, tile.loop ? &*tile.loop : nullptr);
    if (assembly && tile.loop)
        object["inner_loop"] = loop_json(*tile.loop);
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
        facts.add("inside",
                  "not seen: tiles, packing and edges are the kernel's own, and no part of it can be left "
                  "out from outside");
        return facts.text();
    }
    std::string text = fmt::format("{}\n{}\n", facts.text(), tiles_table(found));
    text += fmt::format(
        "Rates in GFLOP/s; ALONE: on packed operands in the nearest cache, k = {}. The last five are "
        "shares of the product's time.\n\nWhat bounds it next\n",
        first.profile.alone->k);
    for (const ProfiledTile& tile : found.tiles)
        text += fmt::format("  {:<6} {}\n", tile_name(tile),
                            next_bound(tile.profile, tile.loop ? &*tile.loop : nullptr));
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
    if (assembly && !found.no_assembly.empty())
        object["no_assembly"] = found.no_assembly;
    return object;
}

} // namespace tune_gemm::host
