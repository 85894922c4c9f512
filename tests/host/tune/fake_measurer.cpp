#include "fake_measurer.hpp"

#include <algorithm>
#include <cmath>

namespace tune_gemm::host::test {

Judgement right(std::int64_t compared) {
    Judgement judgement;
    judgement.correct = true;
    judgement.compared = compared;
    return judgement;
}

Judgement wrong() {
    Judgement judgement;
    judgement.compared = 4096;
    judgement.wrong = 1;
    judgement.first = Difference{0, 3, 5, 0.5, -1.25, 1.75, 0};
    return judgement;
}

const FakeKernel& FakeMeasurer::kernel(const std::string& id) const {
    const auto found = kernels.find(id);
    return found == kernels.end() ? usual : found->second;
}

Measured<Judgement> FakeMeasurer::validate(const GemmCandidate& candidate, const GemmShape& shape,
                                           std::int64_t deadline_ns) {
    const std::string id = candidate_id(candidate);
    late_calls += now_ >= deadline_ns ? 1 : 0;
    log.push_back("validate " + id + " at " + shape_text(shape));
    if (now_ + validate_ns > deadline_ns) {
        now_ = std::max(now_, deadline_ns);
        return MeasureFailure{MeasureFailure::Kind::out_of_time, ""};
    }
    now_ += validate_ns;
    const FakeKernel& fake = kernel(id);
    if (shape.m != fake.fails_at_m)
        return right();
    if (fake.failure.kind == MeasureFailure::Kind::wrong)
        return wrong();
    return fake.failure;
}

Measured<Sample> FakeMeasurer::sample(const GemmCandidate& candidate, const GemmShape& shape,
                                      std::int64_t min_ns, std::int64_t deadline_ns) {
    const std::string id = candidate_id(candidate);
    late_calls += now_ >= deadline_ns ? 1 : 0;
    log.push_back("sample " + id);
    const FakeKernel& fake = kernel(id);
    const int before = samples[id]++;
    ++sampled;
    const double ns = fake.times[std::min(static_cast<std::size_t>(before), fake.times.size() - 1)];
    Sample sample;
    sample.batch.uses = std::max<std::int64_t>(std::llround(std::ceil(static_cast<double>(min_ns) / ns)), 1);
    sample.batch.elapsed_ns = std::llround(ns * static_cast<double>(sample.batch.uses));
    if (now_ + sample.batch.elapsed_ns > deadline_ns) {
        now_ = std::max(now_, deadline_ns);
        return MeasureFailure{MeasureFailure::Kind::out_of_time, ""};
    }
    now_ += sample.batch.elapsed_ns;
    if (fake.fails_when_timed)
        return fake.failure;
    sample.judgement = fake.wrong_when_timed ? wrong() : right();
    if (fake.impossible)
        sample.impossible = impossible_time({1, 1, {}}, shape, {1, 20});
    return sample;
}

} // namespace tune_gemm::host::test
