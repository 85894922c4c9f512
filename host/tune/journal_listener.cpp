#include "tune/journal_listener.hpp"

#include "tune/repeat.hpp"
#include "tune/storing.hpp"

namespace tune_gemm::host {

JournalListener::JournalListener(JournalWriter& journal, std::int64_t shape_index, std::uint64_t seed,
                                 std::int64_t limit, std::string plugin_words, TuneListener* next)
    : journal_(journal), shape_index_(shape_index), seed_(seed), limit_(limit),
      plugin_words_(std::move(plugin_words)), next_(next) {}

void JournalListener::append(const JournalRecord& record) {
    storing([&] { journal_.append(record); });
}

void JournalListener::validated(const Standing& standing, const GemmShape& at, const Judgement& judgement) {
    append(ValidationRecord{.candidate = standing.distinct.id,
                            .shape_index = shape_index_,
                            .shape = at,
                            .correct = judgement.correct,
                            .sampled = judgement.sampled,
                            .compared = judgement.compared,
                            .wrong = judgement.wrong,
                            .max_abs_error = judgement.max_abs_error,
                            .bound = judgement.bound,
                            .sentence = judgement.first ? to_text(*judgement.first) : ""});
    if (next_ != nullptr)
        next_->validated(standing, at, judgement);
}

void JournalListener::observed(const Standing& standing, Phase phase, const Sample& sample) {
    const auto& samples = phase == Phase::explore   ? standing.exploration
                          : phase == Phase::confirm ? standing.confirmation
                                                    : standing.published;
    const Disturbance& disturbance = sample.batch.disturbance;
    append(ObservationRecord{.candidate = standing.distinct.id,
                             .shape_index = shape_index_,
                             .phase = phase,
                             .ns = sample.batch.elapsed_ns,
                             .uses = sample.batch.uses,
                             .block = static_cast<std::int64_t>(samples.size()) - 1,
                             .disturbance = {disturbance.involuntary_switches, disturbance.migrations,
                                             disturbance.minor_faults, disturbance.major_faults}});
    if (next_ != nullptr)
        next_->observed(standing, phase, sample);
}

void JournalListener::failed(const Standing& standing) {
    append(FailureRecord{.candidate = standing.distinct.id,
                         .shape_index = shape_index_,
                         .phase = standing.failed_in,
                         .kind = std::string(to_text(standing.failure->kind)),
                         .sentence = standing.failure->sentence,
                         .repeat = repeat_command(standing.distinct.candidate, standing.failed_at, seed_,
                                                  limit_, plugin_words_)});
    if (next_ != nullptr)
        next_->failed(standing);
}

void JournalListener::decided(const Standing& standing, Phase phase, std::string_view verdict,
                              std::string_view reason) {
    json::object detail;
    if (standing.distinct.asked.size() > 1) {
        json::array shared;
        for (const std::string& id : standing.distinct.asked)
            shared.emplace_back(id);
        detail["shared_by"] = std::move(shared);
    }
    append(DecisionRecord{.candidate = standing.distinct.id,
                          .shape_index = shape_index_,
                          .phase = phase,
                          .verdict = std::string(verdict),
                          .sentence = std::string(reason),
                          .detail = std::move(detail)});
    if (next_ != nullptr)
        next_->decided(standing, phase, verdict, reason);
}

void JournalListener::settled() {
    storing([&] { journal_.sync(); });
    if (next_ != nullptr)
        next_->settled();
}

void JournalListener::progress(const TuneProgress& progress) {
    if (next_ != nullptr)
        next_->progress(progress);
}

} // namespace tune_gemm::host
