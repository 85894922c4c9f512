#include "contest.hpp"

#include "measure/answers.hpp"
#include "measure/specification.hpp"
#include "tune/worker_measurer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>

namespace tune_gemm::bench {
namespace {

/// Of each timed product so many seeded entries are judged; all of them (or the sample that a large product
/// allows) were before anything was timed.
constexpr std::int64_t spot_entries = 64;

/// Fisher and Yates, written out: std::shuffle gives another order with another library.
void shuffle(std::vector<std::function<void()>>& turns, std::mt19937_64& random) {
    for (std::size_t i = turns.size(); i > 1; --i)
        std::swap(turns[i - 1], turns[random() % i]);
}

} // namespace

double operand_bytes(const GemmShape& shape, tg_dtype dtype) {
    const double elements = static_cast<double>(matrix_length(shape, Operand::a)) +
                            static_cast<double>(matrix_length(shape, Operand::b)) +
                            static_cast<double>(matrix_length(shape, Operand::c));
    return elements * static_cast<double>(element_size(dtype));
}

class Contest::Seat {
  public:
    Seat(const Contestant& contestant, const ContestSettings& settings)
        : contestant_(contestant), settings_(settings) {}

    const Contestant& contestant() const noexcept { return contestant_; }

    /// A whole product, judged. False, and why in `performance`, when it is not to be timed.
    bool judge(const Choice& choice, const GemmShape& shape, Performance& performance) {
        uses_[0] = uses_[1] = 0;
        performance.candidate = candidate_id(choice.candidate);
        performance.source = choice.source;
        const auto answer = call("validate", request(choice.candidate, shape),
                                 host::call_patience_ns(shape, 3, 0), performance);
        if (!answer)
            return false;
        const Judgement judgement =
            host::parse_judgement(json::Field(*answer, "the worker's answer")["judgement"]);
        if (!judgement.correct)
            return found_wrong(judgement, performance);
        return true;
    }

    void sample(const Choice& choice, const GemmShape& shape, bool cold, Performance& performance,
                std::vector<double> Performance::*times) {
        if (!performance.absent.empty())
            return;
        json::object asked = request(choice.candidate, shape);
        asked["min_ns"] = settings_.min_ns;
        asked["cold"] = cold;
        asked["spot_entries"] = spot_entries;
        if (uses_[cold] > 0)
            asked["uses"] = uses_[cold];
        const auto answer =
            call("sample", asked, host::call_patience_ns(shape, 4, settings_.min_ns), performance);
        if (!answer)
            return;
        const host::Sample sample = host::parse_sample(json::Field(*answer, "the worker's answer"));
        if (!sample.judgement.correct || !sample.impossible.empty()) {
            found_wrong(sample.judgement, performance);
            if (!sample.impossible.empty())
                performance.absent = "impossible: " + sample.impossible;
            return;
        }
        uses_[cold] = sample.batch.uses;
        (performance.*times).push_back(sample.ns());
    }

  private:
    json::object request(const GemmCandidate& candidate, const GemmShape& shape) const {
        host::JobSpecification spec{contestant_.plugin, contestant_.sha256, candidate, shape, settings_.seed};
        spec.threads = static_cast<std::int64_t>(settings_.threads);
        // The limit is a thread's; the product is held to that of all of them.
        spec.limit = settings_.workspace_limit * spec.threads;
        return host::specification_json(spec);
    }

    /// The answer; nothing, and why in `performance`, when there is none.
    std::optional<json::value> call(std::string_view job, const json::object& asked, std::int64_t patience_ns,
                                    Performance& performance) {
        if (!worker_ || !worker_->alive()) {
            const ProcessEnvironment environment(contestant_.library, settings_.threads);
            worker_.emplace();
        }
        worker_->let_go_on();
        try {
            host::WorkerAnswer answer =
                worker_->call(job, asked, std::chrono::milliseconds(patience_ns / 1'000'000));
            if (answer.value) {
                worker_->stop();
                return std::move(answer.value);
            }
            performance.wrong = true;
            performance.absent = "the worker " + answer.failure->sentence;
        } catch (const Error& error) { // the worker lives and says no
            worker_->stop();
            performance.absent = error.what();
        }
        return std::nullopt;
    }

    static bool found_wrong(const Judgement& judgement, Performance& performance) {
        performance.wrong = true;
        performance.absent =
            fmt::format("wrong: {} of {}{}{}", judgement.wrong, compared_text(judgement),
                        judgement.first ? "; " : "", judgement.first ? to_text(*judgement.first) : "");
        return false;
    }

    Contestant contestant_;
    ContestSettings settings_;
    std::optional<host::Worker> worker_;
    std::int64_t uses_[2] = {0, 0}; ///< that fill a sample, warm and cold; 0: not known yet
};

Contest::Contest(const std::vector<Contestant>& contestants, ContestSettings settings, Chooser chooser)
    : settings_(settings), chooser_(std::move(chooser)) {
    ContestSettings one_thread = settings_;
    one_thread.threads = 1;
    for (const Contestant& contestant : contestants) {
        seats_.emplace_back(contestant, settings_);
        if (settings_.scaling)
            alone_.emplace_back(contestant, one_thread);
        PeakMeter peak(contestant.kernel.arithmetic.dtype, contestant.kernel.cpu, settings_.threads);
        const bool known = std::any_of(peaks_.begin(), peaks_.end(),
                                       [&](const PeakMeter& other) { return other.name() == peak.name(); });
        if (!contestant.ours || !peak.usable() || known)
            continue;
        peaks_.push_back(std::move(peak));
        if (settings_.scaling)
            peaks_alone_.emplace_back(contestant.kernel.arithmetic.dtype, contestant.kernel.cpu, 1);
    }
}

Contest::~Contest() = default;

Outcomes Contest::run(const GemmShape& shape, const std::string& name) {
    Outcomes outcomes;
    outcomes.shape = shape;
    outcomes.name = name;
    outcomes.performances.resize(seats_.size());
    for (const PeakMeter& peak : peaks_)
        outcomes.peaks.push_back({peak.name(), {}});
    for (const PeakMeter& peak : peaks_alone_)
        outcomes.peaks_alone.push_back({peak.name(), {}});
    std::vector<std::function<void()>> turns;
    for (std::size_t i = 0; i < seats_.size(); ++i) {
        Seat& seat = seats_[i];
        Performance& performance = outcomes.performances[i];
        const auto choice = chooser_(seat.contestant(), shape);
        if (!choice) {
            performance.absent = choice.refusal().reason;
            continue;
        }
        const auto take_turns = [&](Seat& sitting, bool cold, std::vector<double> Performance::*times) {
            turns.emplace_back([&sitting, &performance, &shape, cold, times, chosen = choice.value()] {
                sitting.sample(chosen, shape, cold, performance, times);
            });
        };
        if (!seat.judge(choice.value(), shape, performance))
            continue;
        take_turns(seat, false, &Performance::warm);
        if (settings_.cold)
            take_turns(seat, true, &Performance::cold);
        if (settings_.scaling && seat.contestant().ours &&
            alone_[i].judge(choice.value(), shape, performance))
            take_turns(alone_[i], false, &Performance::alone);
    }
    const auto measure = [&](std::vector<PeakMeter>& meters, std::vector<Rate>& rates) {
        for (std::size_t i = 0; i < meters.size(); ++i)
            turns.emplace_back([&meter = meters[i], &rate = rates[i], this] {
                rate.samples.push_back(meter.sample(settings_.min_ns));
            });
    };
    measure(peaks_, outcomes.peaks);
    measure(peaks_alone_, outcomes.peaks_alone);
    const tg_dtype dtype =
        seats_.empty() ? tg_dtype{TG_F64} : seats_.front().contestant().kernel.arithmetic.dtype;
    std::optional<ReadMeter> reading;
    if (shape.m == 1 || shape.n == 1) {
        reading.emplace(static_cast<std::int64_t>(operand_bytes(shape, dtype)), settings_.threads);
        if (reading->usable()) {
            outcomes.reading = Rate{"reading", {}};
            turns.emplace_back(
                [&] { outcomes.reading->samples.push_back(reading->sample(settings_.min_ns)); });
        }
    }
    std::mt19937_64 random(settings_.seed);
    const std::int64_t end = host::now_ns() + static_cast<std::int64_t>(settings_.seconds * 1e9);
    while (outcomes.rounds < settings_.least_rounds || host::now_ns() < end) {
        shuffle(turns, random);
        for (const auto& turn : turns)
            turn();
        ++outcomes.rounds;
    }
    return outcomes;
}

} // namespace tune_gemm::bench
