#include "conformance/runner.hpp"

#include "conformance/check_job.hpp"
#include "worker/crash_note.hpp"
#include "worker/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>

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

/// A record to be made, and what decides whether its check runs at all.
struct Task {
    CheckRecord record;
    std::string skip;            ///< a reason that is known beforehand; empty: none
    std::size_t timeouts_of = 0; ///< which tile's timeouts, see Runner
};

/// The tasks of a plugin's kernels, in the order of the records.
class Tasks {
  public:
    Tasks(std::span<const KernelInfo> kernels, const RunnerOptions& options) : options_(options) {
        for (const KernelInfo& kernel : kernels) {
            const std::string unusable =
                kernel.unusable.empty()
                    ? ""
                    : fmt::format("Kernel {} cannot be used here: {}", kernel.id, kernel.unusable);
            add(Scope::kernel, kernel, -1, unusable);
            const std::string skip = unusable.empty() ? same_loop(kernel) : unusable;
            if (kernel.whole_gemm)
                add(Scope::tile, kernel, -1, skip);
            for (std::size_t tile = 0; tile < kernel.tiles.size(); ++tile)
                add(Scope::tile, kernel, static_cast<int>(tile), skip);
            if (!kernel.loop_identity.empty())
                loops_.emplace_back(kernel.loop_identity, kernel.id);
        }
    }
    std::vector<Task>& all() noexcept { return tasks_; }
    std::size_t tiles() const noexcept { return tiles_; }

  private:
    void add(Scope scope, const KernelInfo& kernel, int tile, const std::string& skip) {
        for (const Check* check : options_.checks) {
            if (check->scope != scope)
                continue;
            Task task;
            task.record.check = check;
            task.record.kernel = kernel.id;
            task.record.tile = tile;
            if (tile >= 0)
                task.record.tile_text = tile_text(kernel.tiles[static_cast<std::size_t>(tile)]);
            task.skip = skip;
            task.timeouts_of = tiles_;
            tasks_.push_back(std::move(task));
        }
        ++tiles_;
    }

    std::string same_loop(const KernelInfo& kernel) const {
        const auto same = std::find_if(loops_.begin(), loops_.end(),
                                       [&](const auto& loop) { return loop.first == kernel.loop_identity; });
        return same == loops_.end()
                   ? ""
                   : fmt::format("The same loop as kernel {}, whose result holds.", same->second);
    }

    const RunnerOptions& options_;
    std::vector<Task> tasks_;
    std::size_t tiles_ = 0;
    std::vector<std::pair<std::string, std::string>> loops_; ///< identity, and the first kernel that has it
};

/// Takes the tasks one after the other, in as many threads as there are jobs.
class Runner {
  public:
    Runner(const PluginInfo& plugin, std::span<const KernelInfo> kernels, const RunnerOptions& options,
           const std::function<void(const CheckRecord&)>& told)
        : plugin_(plugin), options_(options), told_(told), tasks_(kernels, options),
          timeouts_(tasks_.tiles()) {}

    std::vector<CheckRecord> run() {
        const auto jobs = options_.in_process ? 1 : std::max(options_.jobs, 1);
        std::vector<std::thread> others;
        for (int job = 1; job < jobs && static_cast<std::size_t>(job) < tasks_.all().size(); ++job)
            others.emplace_back([this] { work(); });
        work();
        for (std::thread& other : others)
            other.join();
        if (problem_)
            std::rethrow_exception(problem_);
        std::vector<CheckRecord> records;
        for (Task& task : tasks_.all())
            records.push_back(std::move(task.record));
        return records;
    }

  private:
    void work() noexcept {
        std::optional<Worker> worker; // dies with the thread that started it, so each thread has its own
        try {
            for (Task* task = next(); task != nullptr; task = next())
                perform(*task, worker);
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!problem_)
                problem_ = std::current_exception();
            next_ = tasks_.all().size();
        }
    }

    /// Null when there is none left.
    Task* next() {
        const std::lock_guard lock(mutex_);
        if (next_ >= tasks_.all().size())
            return nullptr;
        Task& task = tasks_.all()[next_++];
        if (const int timeouts = timeouts_[task.timeouts_of]; task.skip.empty() && timeouts >= most_timeouts)
            task.skip = fmt::format("Not run, since {} checks before it have timed out.", timeouts);
        return &task;
    }

    void perform(Task& task, std::optional<Worker>& worker) {
        CheckRecord& record = task.record;
        const auto start = Clock::now();
        if (record.check->fresh_process)
            worker.reset();
        if (task.skip.empty())
            record.result =
                ask({plugin_.path, plugin_.sha256, record.kernel, record.tile, std::string(record.check->id),
                     options_.seed, limit_of(*record.check, options_)},
                    worker);
        else
            record.result = {CheckStatus::skip, task.skip, 0};
        record.ns = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
        const std::lock_guard lock(mutex_);
        if (record.result.status == CheckStatus::timeout)
            ++timeouts_[task.timeouts_of];
        if (told_)
            told_(record);
    }

    CheckResult ask(const CheckRequest& request, std::optional<Worker>& worker) const {
        if (options_.in_process)
            return perform_check(request);
        if (!worker || !worker->alive())
            worker.emplace(WorkerLimits{.memory_bytes = worker_memory});
        const WorkerAnswer answer = worker->call("check", check_request_json(request), request.limit);
        if (answer.failure)
            return failure_result(*answer.failure);
        return parse_check_result(json::Field(*answer.value, "the worker's answer"));
    }

    const PluginInfo& plugin_;
    const RunnerOptions& options_;
    const std::function<void(const CheckRecord&)>& told_;
    Tasks tasks_;
    std::mutex mutex_; ///< of all below
    std::size_t next_ = 0;
    std::vector<int> timeouts_; ///< of each tile, and of each kernel as a whole
    std::exception_ptr problem_;
};

} // namespace

std::vector<CheckRecord> run_checks(const PluginInfo& plugin, std::span<const KernelInfo> kernels,
                                    const RunnerOptions& options,
                                    const std::function<void(const CheckRecord&)>& told) {
    return Runner(plugin, kernels, options, told).run();
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
