#include "conformance/runner.hpp"

#include "conformance/check_job.hpp"
#include "worker/crash_note.hpp"
#include "worker/process.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tune_gemm::host {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t worker_memory = std::int64_t{2}
                                       << 30; // address space, beyond what a worker has at start
constexpr int most_timeouts = 2;              // of one tile

/// Sanitizers and unoptimised builds take several times as long.
constexpr int slowness =
#if defined(__OPTIMIZE__)
    1;
#else
    6;
#endif

std::chrono::milliseconds limit_of(const Check& check, const RunnerOptions& options) {
    if (options.limit)
        return *options.limit;
    return check.limit * (address_space_limit_unusable() ? 6 : slowness);
}

std::string tile_text(const TileInfo& tile) {
    return tile.is_free() ? fmt::format("free up to {}x{}", tile.max_mr, tile.max_nr)
                          : fmt::format("{}x{}", tile.mr, tile.nr);
}

CheckResult failure_result(const WorkerFailure& failure) {
    const bool timed_out = failure.kind == WorkerFailure::Kind::timed_out;
    const std::string note = note_in(failure.output);
    return {timed_out ? CheckStatus::timeout : CheckStatus::crash,
            fmt::format("The worker {}{}{}.", failure.sentence, note.empty() ? "" : ": the kernel ", note),
            0};
}

class Runner {
  public:
    Runner(const PluginInfo& plugin, const RunnerOptions& options,
           const std::function<void(const CheckRecord&)>& told)
        : plugin_(plugin), options_(options), told_(told) {}

    void run_kernel(const KernelInfo& kernel) {
        timeouts_ = 0;
        for (const Check* check : options_.checks)
            if (check->scope == Scope::kernel)
                run(*check, kernel, -1);
        if (kernel.whole_gemm)
            run_tile(kernel, -1);
        for (std::size_t tile = 0; tile < kernel.tiles.size(); ++tile)
            run_tile(kernel, static_cast<int>(tile));
        if (!kernel.loop_identity.empty())
            loops_.emplace_back(kernel.loop_identity, kernel.id);
    }
    std::vector<CheckRecord> take() { return std::move(records_); }

  private:
    void run_tile(const KernelInfo& kernel, int tile) {
        timeouts_ = 0;
        for (const Check* check : options_.checks)
            if (check->scope == Scope::tile)
                run(*check, kernel, tile);
    }

    void run(const Check& check, const KernelInfo& kernel, int tile) {
        CheckRecord record;
        record.check = &check;
        record.kernel = kernel.id;
        record.tile = tile;
        if (tile >= 0)
            record.tile_text = tile_text(kernel.tiles[static_cast<std::size_t>(tile)]);
        const auto start = Clock::now();
        const std::string reason = reason_to_skip(check, kernel);
        if (reason.empty())
            record.result = perform({plugin_.path, plugin_.sha256, kernel.id, tile, std::string(check.id),
                                     options_.seed, limit_of(check, options_)});
        else
            record.result = {CheckStatus::skip, reason, 0};
        record.ns = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
        if (record.result.status == CheckStatus::timeout)
            ++timeouts_;
        records_.push_back(std::move(record));
        if (told_)
            told_(records_.back());
    }

    std::string reason_to_skip(const Check& check, const KernelInfo& kernel) const {
        if (!kernel.unusable.empty())
            return fmt::format("Kernel {} cannot be used here: {}", kernel.id, kernel.unusable);
        if (timeouts_ >= most_timeouts)
            return fmt::format("Not run, since {} checks before it have timed out.", timeouts_);
        const auto same = std::find_if(loops_.begin(), loops_.end(),
                                       [&](const auto& loop) { return loop.first == kernel.loop_identity; });
        if (same != loops_.end() && check.scope == Scope::tile)
            return fmt::format("The same loop as kernel {}, whose result holds.", same->second);
        return {};
    }

    CheckResult perform(const CheckRequest& request) {
        if (options_.in_process)
            return perform_check(request);
        if (!worker_ || !worker_->alive())
            worker_.emplace(WorkerLimits{.memory_bytes = worker_memory});
        const WorkerAnswer answer = worker_->call("check", check_request_json(request), request.limit);
        if (answer.failure)
            return failure_result(*answer.failure);
        return parse_check_result(json::Field(*answer.value, "the worker's answer"));
    }

    const PluginInfo& plugin_;
    const RunnerOptions& options_;
    const std::function<void(const CheckRecord&)>& told_;
    std::optional<Worker> worker_;
    std::vector<std::pair<std::string, std::string>> loops_; ///< identity, and the first kernel that has it
    int timeouts_ = 0;
    std::vector<CheckRecord> records_;
};

} // namespace

std::vector<CheckRecord> run_checks(const PluginInfo& plugin, std::span<const KernelInfo> kernels,
                                    const RunnerOptions& options,
                                    const std::function<void(const CheckRecord&)>& told) {
    Runner runner(plugin, options, told);
    for (const KernelInfo& kernel : kernels)
        runner.run_kernel(kernel);
    return runner.take();
}

std::int64_t count_checks(std::span<const KernelInfo> kernels, const RunnerOptions& options) {
    std::int64_t count = 0;
    for (const KernelInfo& kernel : kernels)
        for (const Check* check : options.checks)
            count += check->scope == Scope::kernel || kernel.whole_gemm
                         ? 1
                         : static_cast<std::int64_t>(kernel.tiles.size());
    return count;
}

CheckTotals totals_of(std::span<const CheckRecord> records) noexcept {
    CheckTotals totals;
    for (const CheckRecord& record : records) {
        const CheckStatus status = record.result.status;
        if (is_failure(status))
            ++totals.failed;
        else if (status == CheckStatus::pass)
            ++totals.passed;
        else if (status == CheckStatus::warn)
            ++totals.warned;
        else
            ++totals.skipped;
    }
    return totals;
}

int exit_code_of(const CheckTotals& totals) noexcept {
    if (totals.failed != 0)
        return 1;
    return totals.passed + totals.warned == 0 ? 77 : 0;
}

} // namespace tune_gemm::host
