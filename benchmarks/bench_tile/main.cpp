// The ceiling of each tile of a plugin: calls on packed operands that stay in the nearest caches, beside the
// peak of fused multiply-adds, measured in the same run and in turn. What a whole product loses against this
// is the driver's.
#include "../fma_peak.hpp"
#include "../timing.hpp"

#include <tune_gemm/buffer.hpp>

#include "report/table.hpp"
#include "runtime/load.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

using namespace tune_gemm;

namespace {

constexpr double sample_ns = 500'000; // short enough to fit between two interruptions
constexpr int rounds = 61;

/// One tile with operands of its own.
class TileCall {
  public:
    TileCall(const KernelInfo& kernel, const TileInfo& tile, std::int64_t k, bool accumulate)
        : kernel_(kernel.kernel), m_(tile.is_free() ? 4 : tile.mr), n_(tile.is_free() ? 4 : tile.nr),
          size_(static_cast<std::int64_t>(element_size(kernel.arithmetic.dtype))),
          operands_((m_ * k + k * n_ + m_ * n_) * size_ + 3 * Buffer::least_alignment, Buffer::Use::result) {
        // All zero, which is as fast as anything and stays so however often C is added to.
        for (std::byte& byte : operands_.bytes())
            byte = std::byte{0};
        auto next = [&, used = std::int64_t{0}](std::int64_t entries) mutable {
            std::byte* const place = operands_.bytes().data() + used;
            used += (entries * size_ + Buffer::least_alignment - 1) / Buffer::least_alignment *
                    Buffer::least_alignment;
            return place;
        };
        args_.struct_size = sizeof args_;
        args_.flags = accumulate ? TG_ACCUMULATE : 0;
        args_.m = m_, args_.n = n_, args_.k = k;
        args_.rs_a = 1, args_.cs_a = m_;
        args_.rs_b = n_, args_.cs_b = 1;
        args_.rs_c = n_, args_.cs_c = 1;
        args_.a = next(m_ * k), args_.b = next(k * n_), args_.c = next(m_ * n_);
        run_ = tile.tile->run;
        if (tile.tile->select != nullptr) {
            if (const tg_tile_run selected = tile.tile->select(kernel_, &args_))
                run_ = selected;
        }
    }

    void operator()() const noexcept { run_(kernel_, &args_); }
    double flop() const { return 2.0 * static_cast<double>(m_ * n_ * args_.k); }
    std::string name() const { return fmt::format("{}x{}", m_, n_); }

  private:
    const tg_kernel* kernel_;
    std::int64_t m_, n_, size_;
    Buffer operands_;
    tg_tile_args args_{};
    tg_tile_run run_ = nullptr;
};

double elapsed_ns(const std::function<void()>& body) {
    return bench::medians({body}, 3, 1).front();
}

struct Rates {
    double tile, peak; ///< GFLOP/s; peak 0 when there is none to measure
};

/// Tile and peak in turn, both in samples of about sample_ns.
Rates measure(const TileCall& call, const bench::FmaLoop& loop) {
    const auto repeated = [&](std::int64_t calls) {
        return [&call, calls] {
            for (std::int64_t i = 0; i < calls; ++i)
                call();
        };
    };
    const std::int64_t calls =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(sample_ns / elapsed_ns(repeated(1000)) * 1000));
    std::vector<std::function<void()>> contestants{repeated(calls)};
    std::int64_t repeats = 0;
    if (loop.run != nullptr) {
        repeats = std::max<std::int64_t>(
            1, static_cast<std::int64_t>(sample_ns / elapsed_ns([&] { loop.run(10'000); }) * 10'000));
        contestants.emplace_back([&] { loop.run(repeats); });
    }
    const std::vector<double> ns = bench::medians(contestants, rounds, 1);
    return {call.flop() * static_cast<double>(calls) / ns[0],
            loop.run == nullptr ? 0 : loop.flop_per_repeat * static_cast<double>(repeats) / ns[1]};
}

void bench_kernel(const KernelInfo& kernel, const std::vector<std::int64_t>& depths, host::Table& table) {
    const bench::FmaLoop loop = bench::fma_loop(kernel.arithmetic.dtype, kernel.cpu);
    for (const TileInfo& tile : kernel.tiles) {
        for (const std::int64_t k : depths) {
            for (const bool accumulate : {false, true}) {
                const TileCall call(kernel, tile, k, accumulate);
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
        host::Table table({{"KERNEL"},
                           {"TILE"},
                           {"K", host::Align::right},
                           {"C"},
                           {"GFLOP/s", host::Align::right},
                           {"PEAK", host::Align::right},
                           {"SHARE", host::Align::right}});
        for (const std::string& path : plugins) {
            const Catalogue catalogue = host::loaded_catalogue(path);
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
