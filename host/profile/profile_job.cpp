#include "profile/profile_job.hpp"

#include "measure/fma_peak.hpp"
#include "measure/in_turn.hpp"
#include "measure/jobs.hpp"
#include "measure/operands.hpp"
#include "measure/specification.hpp"
#include "measure/tile_call.hpp"
#include "profile/product_parts.hpp"
#include "profile/profile.hpp"
#include "runtime/caches.hpp"
#include "runtime/load.hpp"

#include <tune_gemm/prepared.hpp>

#include <algorithm>
#include <functional>
#include <optional>

#include <dlfcn.h>

namespace tune_gemm::host {
namespace {

constexpr double sample_ns = 500'000; // short enough to fit between two interruptions
constexpr int least_rounds = 5, most_rounds = 61;

/// Contestants that each fill a sample, timed in turn.
class Contest {
  public:
    /// Returns the contestant's number.
    std::size_t add(const Contestant& contestant) {
        calls_.push_back(calls_per_sample(contestant, sample_ns));
        all_.push_back(repeated(contestant, calls_.back()));
        return all_.size() - 1;
    }
    /// ns per call of each.
    std::vector<double> run(double seconds) const {
        double round_ns = 0;
        for (const double ns : medians_in_turn(all_, 1))
            round_ns += ns;
        const int rounds = std::clamp(static_cast<int>(seconds * 1e9 / round_ns), least_rounds, most_rounds);
        std::vector<double> ns = medians_in_turn(all_, rounds);
        for (std::size_t x = 0; x < ns.size(); ++x)
            ns[x] /= static_cast<double>(calls_[x]);
        return ns;
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
    Peak peak(const std::vector<double>& ns) const {
        if (loop_.run == nullptr)
            return {};
        return {loop_.name, loop_.flop_per_repeat * static_cast<double>(repeats) / ns[at_]};
    }

  private:
    static constexpr std::int64_t repeats = 1000;
    FmaLoop loop_;
    std::size_t at_ = 0;
};

/// Where a function of a loaded library lies in its file, as disassemblers number it.
std::uint64_t place_in_file(tg_tile_run function) noexcept {
    Dl_info info{};
    void* const address = reinterpret_cast<void*>(function);
    if (::dladdr(address, &info) == 0 || info.dli_fbase == nullptr)
        return 0;
    return static_cast<std::uint64_t>(static_cast<const char*>(address) -
                                      static_cast<const char*>(info.dli_fbase));
}

double flop_of(const GemmShape& shape) {
    return 2 * static_cast<double>(multiply_adds(shape));
}

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
    const auto set_peaks = [&](const std::vector<double>& ns) {
        profile.processor_peak = processor_peak.peak(ns);
        profile.peak = own_peak ? own_peak->peak(ns) : profile.processor_peak;
    };
    if (kernel.whole_gemm) {
        const PreparedGemm prepared =
            PreparedGemm::make(problem, spec.candidate, spec.limit, catalogue).value();
        Buffer c(c_bytes, Buffer::Use::result),
            workspace(prepared.workspace_demand(), Buffer::Use::workspace);
        const BlockedOperands all{.a = operands.a().data(),
                                  .b = operands.b().data(),
                                  .c = c.bytes().data(),
                                  .workspace = workspace.bytes()};
        const std::size_t product = contest.add([&] { prepared.run(all); });
        const std::vector<double> ns = contest.run(seconds);
        profile.product_gflops = flop_of(spec.shape) / ns[product];
        set_peaks(ns);
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
    const std::vector<double> ns = contest.run(seconds);
    set_peaks(ns);
    profile.product_gflops = flop_of(spec.shape) / ns[whole];
    profile.alone = {k, call.flop() / ns[alone], place_in_file(call.function())};
    profile.shares =
        parts.shares(ns[whole], ns[without_edges], ns[without_tiles], ns[without_a], ns[without_b]);
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
