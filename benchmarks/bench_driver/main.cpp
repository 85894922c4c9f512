// Whole products in process: candidates of tile kernels, and every kernel of the given plugins that brings
// its own blocking, beside the FMA peak; all in turn in one run, steady state, warm operands.
#include <tune_gemm/buffer.hpp>
#include <tune_gemm/candidate.hpp>
#include <tune_gemm/matrix.hpp>
#include <tune_gemm/prepared.hpp>

#include "measure/fma_peak.hpp"
#include "measure/in_turn.hpp"
#include "report/table.hpp"
#include "runtime/load.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace tune_gemm;
using namespace tune_gemm::host;

namespace {

constexpr double sample_ns = 1'000'000;

struct Options {
    std::vector<std::string> plugins, shapes, candidates;
    std::string layouts;
    unsigned threads = 1;
    double beta = 0, seconds = 2;
};

/// One product made ready, with a workspace and, for the prepacked modes, packed operands of its own.
class ProductCall {
  public:
    ProductCall(const GemmProblem& problem, const GemmCandidate& candidate, const Catalogue& catalogue,
                unsigned threads, const std::vector<double>& a, const std::vector<double>& b)
        : prepared_(make(problem, candidate, catalogue, threads)), dtype_(dtype()), a_(entries(a)),
          b_(entries(b)), c_(size() * problem.m * problem.n * problem.batch, Buffer::Use::result),
          workspace_(prepared_.workspace_demand(), Buffer::Use::workspace) {
        for (std::byte& byte : c_.bytes())
            byte = std::byte{0};
        if (prepacks_a(candidate.allocation_mode))
            packed_a_ = prepared_.prepack(Operand::a, a_.bytes().data());
        if (prepacks_b(candidate.allocation_mode))
            packed_b_ = prepared_.prepack(Operand::b, b_.bytes().data());
        operands_ = {.a = a_.bytes().data(),
                     .b = b_.bytes().data(),
                     .c = c_.bytes().data(),
                     .workspace = workspace_.bytes(),
                     .packed_a = packed_a_ ? &*packed_a_ : nullptr,
                     .packed_b = packed_b_ ? &*packed_b_ : nullptr};
    }

    void operator()() const { prepared_.run(operands_); }
    tg_dtype dtype() const { return prepared_.resolution().arithmetic.dtype; }

  private:
    static PreparedGemm make(const GemmProblem& problem, const GemmCandidate& candidate,
                             const Catalogue& catalogue, unsigned threads) {
        auto prepared = PreparedGemm::make(problem, candidate, std::int64_t{1} << 40, catalogue, threads);
        if (!prepared)
            throw_bad_input(fmt::format("{}: {}", candidate_id(candidate), prepared.refusal().reason));
        return std::move(prepared.value());
    }
    std::int64_t size() const { return static_cast<std::int64_t>(element_size(dtype_)); }
    Buffer entries(const std::vector<double>& values) const {
        Buffer buffer(size() * static_cast<std::int64_t>(values.size()), Buffer::Use::result);
        if (dtype_ == TG_F32)
            std::copy(values.begin(), values.end(), buffer.as<float>());
        else
            std::memcpy(buffer.bytes().data(), values.data(), buffer.bytes().size());
        return buffer;
    }

    PreparedGemm prepared_;
    tg_dtype dtype_;
    Buffer a_, b_, c_, workspace_;
    std::optional<PackedOperand> packed_a_, packed_b_;
    BlockedOperands operands_;
};

struct Entry {
    std::string name;
    std::function<void()> sample;
    double flop; ///< of a sample
    bool is_baseline;
};

std::vector<Entry> entries_of(const GemmShape& shape, const Options& options,
                              const std::vector<Catalogue>& catalogues, tg_dtype& dtype,
                              std::vector<std::string>& features) {
    const GemmProblem problem = problem_of(shape, 1, options.beta);
    const auto a = reproducible_operand(1, shape, Operand::a);
    const auto b = reproducible_operand(2, shape, Operand::b);
    const double flop = 2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) *
                        static_cast<double>(shape.k) * static_cast<double>(shape.batch);
    std::vector<Entry> entries;
    const auto add = [&](const GemmCandidate& candidate, const Catalogue& catalogue, bool is_baseline) {
        const auto contestant =
            std::make_shared<ProductCall>(problem, candidate, catalogue, options.threads, a, b);
        if (!entries.empty() && !is_baseline && contestant->dtype() != dtype)
            throw_bad_input("Candidates of different element types; compare them in separate runs.");
        if (is_baseline && contestant->dtype() != dtype)
            return;
        dtype = contestant->dtype();
        const std::int64_t calls = calls_per_sample(std::cref(*contestant), sample_ns);
        entries.push_back({candidate_id(candidate),
                           [contestant, calls] {
                               for (std::int64_t call = 0; call < calls; ++call)
                                   (*contestant)();
                           },
                           flop * static_cast<double>(calls), is_baseline});
    };
    for (const std::string& id : options.candidates) {
        const GemmCandidate candidate = parse_candidate_id(id);
        const auto owner = std::find_if(catalogues.begin(), catalogues.end(), [&](const Catalogue& c) {
            return static_cast<bool>(c.resolve(candidate.microkernel_id));
        });
        if (owner == catalogues.end())
            throw_bad_input(fmt::format("No plugin has the kernel of {}.", id));
        add(candidate, *owner, false);
        features = owner->resolve(candidate.microkernel_id).value()->cpu;
    }
    for (const Catalogue& catalogue : catalogues) {
        for (const KernelInfo& kernel : catalogue.kernels()) {
            if (kernel.whole_gemm && kernel.unusable.empty())
                add(parse_candidate_id(fmt::format("1x1x1:1x1:{}:own:none:workspace:compute", kernel.id)),
                    catalogue, true);
        }
    }
    return entries;
}

void bench_shape(const std::string& text, const Options& options, const std::vector<Catalogue>& catalogues,
                 Table& table) {
    GemmShape shape = parse_shape(text);
    if (!options.layouts.empty())
        parse_layouts(options.layouts, shape);
    tg_dtype dtype = TG_F64;
    std::vector<std::string> features;
    const std::vector<Entry> entries = entries_of(shape, options, catalogues, dtype, features);
    std::vector<std::function<void()>> samples;
    for (const Entry& entry : entries)
        samples.push_back(entry.sample);
    const FmaLoop loop = fma_loop(dtype, features);
    double peak_flop = 0;
    if (loop.run != nullptr) {
        const auto calls = calls_per_sample([&] { loop.run(1000); }, sample_ns);
        samples.emplace_back([&loop, calls] { loop.run(1000 * calls); });
        peak_flop = loop.flop_per_repeat * 1000 * static_cast<double>(calls);
    }
    double round_ns = 0;
    for (const auto& sample : samples)
        round_ns += medians_in_turn({sample}, 3).front();
    const int rounds = std::max(5, static_cast<int>(options.seconds * 1e9 / round_ns));
    const std::vector<double> ns = medians_in_turn(samples, rounds);
    const double peak = loop.run != nullptr ? peak_flop / ns.back() * options.threads : 0;
    double best_baseline = 0;
    for (std::size_t x = 0; x < entries.size(); ++x) {
        if (entries[x].is_baseline)
            best_baseline = std::max(best_baseline, entries[x].flop / ns[x]);
    }
    for (std::size_t x = 0; x < entries.size(); ++x) {
        const double rate = entries[x].flop / ns[x];
        table.add_row({text, entries[x].name, fmt::format("{:.1f}", rate),
                       peak == 0 ? "-" : fmt::format("{:.1f} %", 100 * rate / peak),
                       best_baseline == 0 ? "-" : fmt::format("{:.3f}", rate / best_baseline)});
    }
    if (peak != 0)
        table.add_row({text, fmt::format("peak of {} on {} threads", loop.name, options.threads),
                       fmt::format("{:.1f}", peak), "100 %", "-"});
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app(
        "Speed of whole products in process, steady state on warm operands, beside the peak of fused "
        "multiply-adds; medians of interleaved rounds. Kernels of the plugins that bring their own "
        "blocking join as baselines");
    Options options;
    app.add_option("--plugin", options.plugins, "Plugin files")->required();
    app.add_option("--shape", options.shapes, "MxNxK[xBATCH], one or more")->required();
    app.add_option("--candidate", options.candidates, "Full ids")->required();
    app.add_option("--layouts", options.layouts, "Of A, B and C: r (row-major) or c (column-major)");
    app.add_option("--threads", options.threads, "Of each product")->check(CLI::Range(1, 1024));
    app.add_option("--beta", options.beta, "C := A*B + beta*C");
    app.add_option("--seconds", options.seconds, "For each shape");
    CLI11_PARSE(app, argc, argv);
    try {
        std::vector<Catalogue> catalogues;
        for (const std::string& path : options.plugins)
            catalogues.push_back(loaded_catalogue(path));
        Table table({{"SHAPE"},
                     {"CANDIDATE"},
                     {"GFLOP/s", Align::right},
                     {"SHARE", Align::right},
                     {"RATIO", Align::right}});
        for (const std::string& shape : options.shapes)
            bench_shape(shape, options, catalogues, table);
        fmt::print("{}", table.text());
    } catch (const Error& error) {
        fmt::print(stderr, "bench_driver: {}\n", error.what());
        return error.kind() == ErrorKind::bad_input ? 2 : 1;
    }
    return 0;
}
