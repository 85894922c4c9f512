#include "measure/sampler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tune_gemm::host {
namespace {

using Kind = TimingScope::Kind;

constexpr std::int64_t max_groups = std::int64_t{1} << 30;

bool sets_up_inside(const TimingScope& scope) noexcept {
    return scope.kind == Kind::end_to_end || scope.kind == Kind::amortized;
}

} // namespace

void poison(std::span<std::byte> bytes) noexcept {
    // All ones are a NaN in every IEEE format.
    if (!bytes.empty())
        std::memset(bytes.data(), 0xff, bytes.size());
}

std::string impossible_time(const Batch& batch, const GemmShape& shape, const ClockQuality& clock) {
    if (batch.uses <= 0 || batch.elapsed_ns <= 0)
        return fmt::format("{} uses took {} ns", batch.uses, batch.elapsed_ns);
    if (batch.elapsed_ns <= clock.resolution_ns)
        return fmt::format("{} uses took {} ns, no more than one step of the clock ({} ns)", batch.uses,
                           batch.elapsed_ns, clock.resolution_ns);
    const double floor_ns = 2 * static_cast<double>(multiply_adds(shape)) / impossible_flop_per_ns;
    if (!(batch.ns() > floor_ns))
        return fmt::format("one use took {:.4g} ns, at or below the {:.4g} ns that {} GFLOP/s would take",
                           batch.ns(), floor_ns, impossible_flop_per_ns);
    return {};
}

bool Sampler::wants_cold_operands(const TimingScope& scope) noexcept {
    return sets_up_inside(scope);
}

Sampler::Sampler(const PreparedGemm& prepared, std::span<const OperandPair> operands, std::int64_t c_bytes,
                 Fill fill, Pairs use)
    : scope_(prepared.resolution().candidate.timing_scope),
      uses_per_group_(scope_.kind == Kind::amortized ? scope_.uses : 1), fill_(std::move(fill)) {
    const std::size_t pairs = wants_cold_operands(scope_) ? operands.size() : 1;
    operations_.reserve(pairs);
    for (const OperandPair& pair : operands.first(pairs))
        operations_.emplace_back(prepared, pair.a, pair.b, c_bytes);
    if (use == Pairs::in_turn && !wants_cold_operands(scope_))
        in_turn_.assign(operands.begin(), operands.end());
}

Operation& Sampler::next_operation() {
    const std::size_t at = next_;
    next_ = at + 1 == std::max(operations_.size(), in_turn_.size()) ? 0 : at + 1;
    if (in_turn_.empty())
        return operations_[at];
    operations_.front().use_operands(in_turn_[at].a, in_turn_[at].b);
    return operations_.front();
}

void Sampler::run_group(Operation& operation, Stopwatch& watch, const Halt* halt) {
    switch (scope_.kind) {
    case Kind::compute:
        operation.begin_use();
        watch.start();
        operation.multiply();
        watch.stop();
        operation.end_use();
        break;
    case Kind::steady_state:
        watch.start();
        operation.begin_use();
        operation.multiply();
        operation.end_use();
        watch.stop();
        break;
    case Kind::end_to_end:
    case Kind::amortized:
        watch.start();
        operation.set_up();
        for (std::int64_t use = 0; use < uses_per_group_; ++use) {
            // Uses of a group share a C: the last must not find the result of the one before.
            if (halt != nullptr && use > 0 && use + 1 == uses_per_group_) {
                watch.stop();
                fill_(operation.c());
                watch.start();
            }
            operation.begin_use();
            operation.multiply();
            operation.end_use();
        }
        if (halt != nullptr) {
            watch.stop();
            (*halt)(operation.c());
            watch.start();
        }
        operation.tear_down();
        watch.stop();
        return;
    }
    if (halt != nullptr)
        (*halt)(operation.c());
}

void Sampler::run_plain(std::int64_t groups, Stopwatch& watch) {
    if (groups <= 0)
        return;
    if (scope_.kind == Kind::compute && operations_.front().allocates_per_use()) {
        for (std::int64_t group = 0; group < groups; ++group)
            run_group(next_operation(), watch, nullptr);
        return;
    }
    // Back to back, under one pair of stamps.
    const bool inside = sets_up_inside(scope_);
    if (!inside && in_turn_.empty() && !operations_.front().allocates_per_use()) {
        // Nothing but the products, or at 8 x 8 x 8 the loop would be seen.
        Operation& operation = operations_.front();
        watch.start();
        for (std::int64_t group = 0; group < groups; ++group)
            operation.multiply();
        watch.stop();
        return;
    }
    watch.start();
    for (std::int64_t group = 0; group < groups; ++group) {
        Operation& operation = next_operation();
        if (inside)
            operation.set_up();
        for (std::int64_t use = 0; use < uses_per_group_; ++use) {
            operation.begin_use();
            operation.multiply();
            operation.end_use();
        }
        if (inside)
            operation.tear_down();
    }
    watch.stop();
}

Batch Sampler::time_batch(std::int64_t groups,
                          const std::function<void(std::span<std::byte>, const Stopwatch&)>& judge) {
    Stopwatch watch;
    const Halt judge_c = [&](std::span<std::byte> c) { judge(c, watch); };
    const DisturbanceCounter counter;
    run_plain(groups - 2, watch);
    if (groups > 1)
        run_group(next_operation(), watch, &fill_);
    run_group(next_operation(), watch, &judge_c);
    return {watch.elapsed_ns(), groups * uses_per_group_, counter.since()};
}

std::int64_t Sampler::calibrate(std::int64_t first_ns, std::int64_t min_ns) {
    const auto wanted = static_cast<double>(min_ns);
    double per_group = static_cast<double>(std::max<std::int64_t>(first_ns, 1));
    const auto foretold = [&](double ns) {
        return static_cast<std::int64_t>(
            std::clamp(std::ceil(ns / per_group), 1.0, static_cast<double>(max_groups)));
    };
    // A first use is slower than the rest, by how much nobody knows: a tenth of the batch is tried, growing
    // until it takes about as long as it should.
    std::int64_t groups = 1;
    double elapsed = 0;
    while (per_group < wanted && elapsed < wanted / 20 && groups < max_groups) {
        groups = std::min(foretold(wanted / 10), 100 * groups);
        const Batch trial = time_batch(groups, [&](std::span<std::byte> c, const Stopwatch&) { fill_(c); });
        elapsed = static_cast<double>(std::max<std::int64_t>(trial.elapsed_ns, 1));
        per_group = elapsed / static_cast<double>(groups);
    }
    return foretold(wanted);
}

Batch Sampler::sample(std::int64_t min_ns, const Judge& judge, std::optional<std::int64_t> known_uses) {
    const bool inside = sets_up_inside(scope_);
    if (!inside) {
        operations_.front().set_up();
        fill_(operations_.front().c());
    }
    bool sampled = false;
    Batch batch = time_batch(1, [&](std::span<std::byte> c, const Stopwatch& watch) {
        sampled = scope_.kind != Kind::steady_state && watch.elapsed_ns() >= own_warm_up * min_ns;
        if (sampled)
            judge(c);
        fill_(c);
    });
    if (!sampled) {
        const std::int64_t groups =
            known_uses ? std::clamp<std::int64_t>(*known_uses / uses_per_group_, 1, max_groups)
                       : calibrate(batch.elapsed_ns, min_ns);
        batch = time_batch(groups, [&](std::span<std::byte> c, const Stopwatch&) { judge(c); });
    }
    if (!inside)
        operations_.front().tear_down();
    return batch;
}

} // namespace tune_gemm::host
