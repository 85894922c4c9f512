#include "profile/profile_job.hpp"

#include "measure/fma_peak.hpp"
#include "measure/in_turn.hpp"
#include "measure/jobs.hpp"
#include "measure/operands.hpp"
#include "measure/specification.hpp"
#include "measure/statistics.hpp"
#include "measure/tile_call.hpp"
#include "profile/product_parts.hpp"
#include "profile/profile.hpp"
#include "runtime/caches.hpp"
#include "runtime/load.hpp"

#include <tune_gemm/prepared.hpp>

#include <functional>
#include <optional>
#include <vector>

namespace tune_gemm::host {
namespace {

constexpr double sample_ns = 500'000; // short enough to fit between two interruptions
constexpr int least_rounds = 5;

/// Contestants that each fill a sample, timed in turn.
class Contest {
  public:
    /// Returns the contestant's number.
    std::size_t add(const Contestant& contestant) {
        calls_.push_back(calls_per_sample(contestant, sample_ns));
        all_.push_back(repeated(contestant, calls_.back()));
        return all_.size() - 1;
    }
    /// With ns per call.
    TimedSamples run(double seconds) const {
        TimedSamples samples = samples_for(all_, seconds, least_rounds);
        for (std::size_t x = 0; x < samples.ns.size(); ++x)
            for (double& ns : samples.ns[x])
                ns /= static_cast<double>(calls_[x]);
        return samples;
    }

  private:
    std::vector<std::int64_t> calls_;
    std::vector<Contestant> all_;
};

/// A loop at its peak, as a contestant.
class PeakContestant {
  public:
    PeakContestant(Contest& contest, const FmaLoop& loop) : loop_(loop) {
        if (loop.run != nullptr)
            at_ = contest.add([run = loop.run] { run(repeats); });
    }
    Peak peak(const std::vector<std::vector<double>>& samples) const {
        if (loop_.run == nullptr)
            return {};
        return {loop_.name, loop_.flop_per_repeat * static_cast<double>(repeats) / median(samples[at_])};
    }

  private:
    static constexpr std::int64_t repeats = 1000;
    FmaLoop loop_;
    std::size_t at_ = 0;
};

double flop_of(const GemmShape& shape) {
    return 2 * static_cast<double>(multiply_adds(shape));
}

/// The whole product as a caller has it, on that many threads.
class WholeProduct {
  public:
    /// The operands outlive it.
    WholeProduct(const PreparedGemm& prepared, const void* a, const void* b, std::int64_t c_bytes)
        : prepared_(prepared), c_(c_bytes, Buffer::Use::result),
          workspace_(prepared.workspace_demand(), Buffer::Use::workspace),
          operands_{.a = a, .b = b, .c = c_.bytes().data(), .workspace = workspace_.bytes()} {}
    void operator()() const { prepared_.run(operands_); }

  private:
    PreparedGemm prepared_;
    Buffer c_, workspace_;
    BlockedOperands operands_;
};

/// From the times of the product and of what is left without its parts, each in every round.
struct PartTimes {
    const std::vector<double>&whole, &without_edges, &without_tiles, &without_a, &without_b;

    TimeShares shares(const ProductParts& parts) const {
        return parts.shares(median(whole), median(without_edges), median(without_tiles), median(without_a),
                            median(without_b));
    }
    /// How far the shares of single rounds leave the medians of the shares open.
    TimeShares spread(const ProductParts& parts) const {
        TimeShares spread;
        for (double TimeShares::*share : {&TimeShares::tile, &TimeShares::edges, &TimeShares::pack_a,
                                          &TimeShares::pack_b, &TimeShares::rest}) {
            std::vector<double> values;
            for (std::size_t x = 0; x < whole.size(); ++x)
                values.push_back(
                    parts.shares(whole[x], without_edges[x], without_tiles[x], without_a[x], without_b[x]).*
                    share);
            const MedianInterval interval = median_interval(values);
            spread.*share = (interval.high - interval.low) / 2;
        }
        return spread;
    }
};

/// What is timed, and what came of it. T is the kernel's element type.
template <class T>
void measure(const JobSpecification& spec, const Catalogue& catalogue, const KernelInfo& kernel,
             double seconds, Profile& profile) {
    Operands<T>& operands = operand_cache<T>().get(spec.shape, spec.seed);
    const std::int64_t c_bytes = operands.c_length() * static_cast<std::int64_t>(sizeof(T));
    const GemmProblem problem = problem_of(spec.shape, 1, 0);
    const FmaLoop widest = fma_loop(kernel.arithmetic.dtype, cpu_info().features);
    const FmaLoop declared = fma_loop(kernel.arithmetic.dtype, kernel.cpu);

    Contest contest;
    const PeakContestant processor_peak(contest, widest);
    std::optional<PeakContestant> own_peak; // of other instructions than the widest
    if (declared.run != nullptr && declared.run != widest.run)
        own_peak.emplace(contest, declared);
    const auto product_on = [&](std::int64_t threads) {
        return WholeProduct(
            PreparedGemm::make(problem, spec.candidate, spec.limit, catalogue, static_cast<unsigned>(threads))
                .value(),
            operands.a().data(), operands.b().data(), c_bytes);
    };
    std::optional<WholeProduct> threaded;
    std::size_t on_threads = 0;
    if (spec.threads > 1) {
        threaded.emplace(product_on(spec.threads));
        on_threads = contest.add(std::cref(*threaded));
    }
    const auto set_rates = [&](const std::vector<std::vector<double>>& samples, std::size_t whole) {
        profile.processor_peak = processor_peak.peak(samples);
        profile.peak = own_peak ? own_peak->peak(samples) : profile.processor_peak;
        profile.product_ns = median(samples[whole]);
        profile.product_gflops = flop_of(spec.shape) / profile.product_ns;
        if (threaded)
            profile.threaded = {spec.threads, flop_of(spec.shape) / median(samples[on_threads])};
    };
    if (kernel.whole_gemm) {
        const WholeProduct product = product_on(1);
        const std::size_t whole = contest.add(std::cref(product));
        set_rates(contest.run(seconds).ns, whole);
        return;
    }
    const TileInfo& tile = *kernel.find_tile(spec.candidate.mr, spec.candidate.nr);
    const std::int64_t k = depth_within(plausible_caches(cache_sizes()).l1.bytes, spec.candidate.mr,
                                        spec.candidate.nr, sizeof(T));
    TileCall call(kernel, tile, spec.candidate.mr, spec.candidate.nr, k, true);
    profile.wrong = call.judge();
    if (!profile.wrong.empty())
        return;
    const BlockedPlan plan = plan_blocked(problem, spec.candidate, kernel).value();
    const ProductParts parts(plan, operands.a().data(), operands.b().data(), c_bytes);
    const std::size_t alone = contest.add(std::cref(call));
    const std::size_t whole = contest.add([&] { parts.whole(); });
    const std::size_t without_edges = contest.add([&] { parts.without_edges(); });
    const std::size_t without_tiles = contest.add([&] { parts.without_tiles(); });
    const std::size_t without_a = contest.add([&] { parts.without_tiles_nor_packing(Operand::a); });
    const std::size_t without_b = contest.add([&] { parts.without_tiles_nor_packing(Operand::b); });
    const TimedSamples timed = contest.run(seconds);
    const std::vector<std::vector<double>>& samples = timed.ns;
    set_rates(samples, whole);
    profile.away = median(timed.away[whole]);
    profile.alone = {k, call.flop() / median(samples[alone]), {}};
    profile.alone->seen =
        sample_code(repeated(std::cref(call), calls_per_sample(std::cref(call), sample_ns / 10)),
                    reinterpret_cast<const void*>(call.function()));
    const PartTimes times{samples[whole], samples[without_edges], samples[without_tiles], samples[without_a],
                          samples[without_b]};
    profile.shares = times.shares(parts);
    profile.spread = times.spread(parts);
    profile.tile_calls = parts.tile_calls();
    profile.edge_work = parts.edge_share_of_work();
}

} // namespace

json::value profile_job(const json::Field& field) {
    const JobSpecification spec = parse_specification(field);
    const double seconds = field["seconds"].real();
    const json::value validated = validate_job(field);
    Profile profile;
    const json::Field answer(validated, "the product");
    profile.resolution = parse_resolution(answer["resolution"]);
    profile.judgement = parse_judgement(answer["judgement"]);
    if (profile.judgement.correct) { // what is wrong is not timed
        const Catalogue catalogue = loaded_catalogue(spec.plugin, spec.sha256);
        const KernelInfo& kernel = *catalogue.resolve(spec.candidate.microkernel_id).value();
        if (kernel.arithmetic.dtype == TG_F32)
            measure<float>(spec, catalogue, kernel, seconds, profile);
        else
            measure<double>(spec, catalogue, kernel, seconds, profile);
    }
    return profile_json(profile);
}

} // namespace tune_gemm::host
