// The ceiling of each tile of a plugin: calls on packed operands that stay in the nearest caches, beside the
// peak of fused multiply-adds, measured in the same run and in turn. What a whole product loses against this
// is the driver's.
#include "measure/fma_peak.hpp"
#include "measure/in_turn.hpp"
#include "measure/tile_call.hpp"
#include "report/table.hpp"
#include "runtime/load.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

using namespace tune_gemm;
using namespace tune_gemm::host;

namespace {

constexpr double sample_ns = 500'000; // short enough to fit between two interruptions
constexpr int rounds = 61;

struct Rates {
    double tile, peak; ///< GFLOP/s; peak 0 when there is none to measure
};

/// Tile and peak in turn, both in samples of about sample_ns.
Rates measure(const TileCall& call, const FmaLoop& loop) {
    constexpr std::int64_t repeats = 1000;
    const std::int64_t calls = calls_per_sample(std::cref(call), sample_ns);
    std::vector<Contestant> contestants{repeated(std::cref(call), calls)};
    std::int64_t loops = 0;
    if (loop.run != nullptr) {
        const auto run = [&loop] { loop.run(repeats); };
        loops = calls_per_sample(run, sample_ns);
        contestants.push_back(repeated(run, loops));
    }
    const std::vector<double> ns = medians_in_turn(contestants, rounds);
    return {call.flop() * static_cast<double>(calls) / ns[0],
            loop.run == nullptr ? 0 : loop.flop_per_repeat * static_cast<double>(repeats * loops) / ns[1]};
}

void bench_kernel(const KernelInfo& kernel, const std::vector<std::int64_t>& depths, Table& table) {
    const FmaLoop loop = fma_loop(kernel.arithmetic.dtype, kernel.cpu);
    for (const TileInfo& tile : kernel.tiles) {
        for (const std::int64_t k : depths) {
            for (const bool accumulate : {false, true}) {
                const std::int64_t m = tile.is_free() ? 4 : tile.mr, n = tile.is_free() ? 4 : tile.nr;
                const TileCall call(kernel, tile, m, n, k, accumulate);
                const Rates rates = measure(call, loop);
                table.add_row(
                    {kernel.id, call.name(), std::to_string(k), accumulate ? "added to" : "written",
                     fmt::format("{:.1f}", rates.tile),
                     rates.peak == 0 ? "-" : fmt::format("{:.1f}", rates.peak),
                     rates.peak == 0 ? "-" : fmt::format("{:.1f} %", 100 * rates.tile / rates.peak)});
            }
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Speed of the register tiles of plugins on packed operands, beside the peak of fused "
                 "multiply-adds with the instructions that each kernel names; medians");
    std::vector<std::string> plugins;
    std::vector<std::int64_t> depths{256};
    app.add_option("plugin", plugins, "Plugin files")->required();
    app.add_option("--k", depths, "Depths of the packed panels")->check(CLI::Range(1, 1 << 20));
    CLI11_PARSE(app, argc, argv);
    try {
        Table table({{"KERNEL"},
                     {"TILE"},
                     {"K", Align::right},
                     {"C"},
                     {"GFLOP/s", Align::right},
                     {"PEAK", Align::right},
                     {"SHARE", Align::right}});
        for (const std::string& path : plugins) {
            const Catalogue catalogue = loaded_catalogue(path);
            for (const KernelInfo& kernel : catalogue.kernels()) {
                if (!kernel.unusable.empty())
                    fmt::print("SKIPPED: {}\n", kernel.unusable);
                else if (!kernel.whole_gemm)
                    bench_kernel(kernel, depths, table);
            }
        }
        fmt::print("{}", table.text());
    } catch (const Error& error) {
        fmt::print(stderr, "bench_tile: {}\n", error.what());
        return error.kind() == ErrorKind::bad_input ? 2 : 1;
    }
    return 0;
}
