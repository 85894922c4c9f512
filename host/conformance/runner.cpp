#include "conformance/runner.hpp"

#include "conformance/check_cache.hpp"
#include "conformance/check_job.hpp"
#include "worker/crash_note.hpp"
#include "worker/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
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
    return tile.is_free() ? fmt::format("free up to {}x{}", tile.max_mr, tile.max_nr) : tile_name(tile);
}

bool wanted(const RunnerOptions& options, const TileInfo& tile) {
    return options.tile.empty() || options.tile == tile_name(tile);
}

/// How to mend what ended the worker; "" where the sentence says all that is known.
std::string_view failure_hint(const WorkerFailure& failure) noexcept {
    if (failure.kind != WorkerFailure::Kind::crashed)
        return {};
    // What the libraries of C++ print before they abort.
    if (failure.code == SIGABRT && (failure.output.find("terminate called") != std::string::npos ||
                                    failure.output.find("libc++abi: terminating") != std::string::npos))
        return " An exception left a function of the plugin: catch it within, for whoever calls from C "
               "cannot.";
    if (failure.code == SIGILL)
        return " Let cpu name the feature that it needs; then it is not used where that is missing.";
    return {};
}

CheckResult failure_result(const WorkerFailure& failure) {
    const bool timed_out = failure.kind == WorkerFailure::Kind::timed_out;
    const std::string note = note_in(failure.output);
    return {timed_out ? CheckStatus::timeout : CheckStatus::crash,
            fmt::format("The worker {}{}{}.{}", failure.sentence, note.empty() ? "" : ": the kernel ", note,
                        failure_hint(failure)),
            0};
}

/// A record to be made, and what decides whether its check runs at all.
struct Task {
    CheckRecord record;
    std::string skip;     ///< a reason that is known beforehand; empty: none
    std::size_t unit = 0; ///< which of the library, the kernels and the tiles it belongs to
    bool ended = false;
};

/// The tasks of a plugin's kernels, in the order of the records.
class Tasks {
  public:
    Tasks(std::span<const KernelInfo> kernels, const RunnerOptions& options) : options_(options) {
        if (!kernels.empty())
            add(Scope::plugin, {}, -1, "");
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
                if (wanted(options, kernel.tiles[tile]))
                    add(Scope::tile, kernel, static_cast<int>(tile), skip);
            if (!kernel.loop_identity.empty())
                loops_.emplace_back(kernel.loop_identity, kernel.id);
        }
    }
    std::vector<Task>& all() noexcept { return tasks_; }
    std::size_t units() const noexcept { return units_; }

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
            if (tile >= 0 && kernel.tiles.size() > 1)
                task.record.tile_name = tile_name(kernel.tiles[static_cast<std::size_t>(tile)]);
            task.skip = skip;
            task.unit = units_;
            tasks_.push_back(std::move(task));
        }
        ++units_;
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
    std::size_t units_ = 0;
    std::vector<std::pair<std::string, std::string>> loops_; ///< identity, and the first kernel that has it
};

/// Takes the tasks one after the other, in as many threads as there are jobs.
class Runner {
  public:
    Runner(const PluginInfo& plugin, std::span<const KernelInfo> kernels, const RunnerOptions& options,
           const std::function<void(const CheckRecord&)>& told)
        : plugin_(plugin), options_(options), told_(told), tasks_(kernels, options),
          timeouts_(tasks_.units()) {}

    std::vector<CheckRecord> run() {
        if (options_.cache != nullptr)
            each_cacheable([&](const CheckUnit& unit, const Checks& checks, std::span<Task> tasks) {
                const auto results = options_.cache->find(unit, checks);
                for (std::size_t i = 0; results && i < tasks.size(); ++i) {
                    tasks[i].record.result = (*results)[i];
                    tasks[i].record.cached = true;
                }
            });
        const auto jobs = options_.in_process ? 1 : std::max(options_.jobs, 1);
        std::vector<std::thread> others;
        for (int job = 1; job < jobs && static_cast<std::size_t>(job) < tasks_.all().size(); ++job)
            others.emplace_back([this] { work(); });
        work();
        for (std::thread& other : others)
            other.join();
        if (problem_)
            std::rethrow_exception(problem_);
        const bool whole = std::all_of(tasks_.all().begin(), tasks_.all().end(),
                                       [](const Task& task) { return task.ended; });
        if (options_.cache != nullptr && whole)
            each_cacheable([&](const CheckUnit& unit, const Checks& checks, std::span<Task> tasks) {
                std::vector<CheckResult> results;
                for (const Task& task : tasks)
                    results.push_back(task.record.result);
                if (!tasks.front().record.cached)
                    options_.cache->keep(unit, checks, results);
            });
        std::vector<CheckRecord> records;
        for (Task& task : tasks_.all())
            if (task.ended)
                records.push_back(std::move(task.record));
        return records;
    }

  private:
    using Checks = std::vector<const Check*>;

    /// Calls `use` with each unit of which every check runs (or ran), and its tasks.
    template <class Use>
    void each_cacheable(Use use) {
        std::vector<Task>& tasks = tasks_.all();
        for (std::size_t from = 0, to = 0; from < tasks.size(); from = to) {
            Checks checks;
            bool all_run = true;
            for (; to < tasks.size() && tasks[to].unit == tasks[from].unit; ++to) {
                checks.push_back(tasks[to].record.check);
                all_run = all_run && tasks[to].skip.empty();
            }
            const CheckRecord& first = tasks[from].record;
            if (all_run)
                use(CheckUnit{first.check->scope, first.kernel, first.tile}, checks,
                    std::span<Task>(tasks).subspan(from, to - from));
        }
    }

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
        if (next_ >= tasks_.all().size() || options_.interrupted())
            return nullptr;
        Task& task = tasks_.all()[next_++];
        if (const int timeouts = timeouts_[task.unit]; task.skip.empty() && timeouts >= most_timeouts)
            task.skip = fmt::format("Not run, since {} checks before it have timed out.", timeouts);
        return &task;
    }

    void perform(Task& task, std::optional<Worker>& worker) {
        CheckRecord& record = task.record;
        const auto start = Clock::now();
        if (record.check->fresh_process && !record.cached)
            worker.reset();
        if (record.cached)
            ; // it has its result
        else if (task.skip.empty())
            record.result = ask({plugin_.path,
                                 plugin_.sha256,
                                 record.kernel,
                                 record.tile,
                                 std::string(record.check->id),
                                 options_.seed,
                                 limit_of(*record.check, options_),
                                 {}},
                                record.check->scope, worker);
        else
            record.result = {CheckStatus::skip, task.skip, 0};
        if (!record.cached)
            record.ns = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
        if (options_.interrupted()) // then what came of the check is perhaps that it was stopped
            return;
        const std::lock_guard lock(mutex_);
        task.ended = true;
        if (record.result.status == CheckStatus::timeout)
            ++timeouts_[task.unit];
        if (told_)
            told_(record);
    }

    CheckResult ask(CheckRequest request, Scope scope, std::optional<Worker>& worker) const {
        if (scope == Scope::plugin)
            request.described = plugin_;
        if (options_.in_process)
            return perform_check(request);
        // Once loaded, a plugin stays, so a check that is to load it has a process to itself.
        std::optional<Worker> own;
        std::optional<Worker>& used = scope == Scope::plugin ? own : worker;
        if (!used || !used->alive())
            used.emplace(WorkerLimits{.memory_bytes = worker_memory, .interrupted = options_.interrupted});
        const WorkerAnswer answer = used->call("check", check_request_json(request), request.limit);
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

std::string tile_name(const TileInfo& tile) {
    return tile.is_free() ? "free" : fmt::format("{}x{}", tile.mr, tile.nr);
}

std::vector<CheckRecord> run_checks(const PluginInfo& plugin, std::span<const KernelInfo> kernels,
                                    const RunnerOptions& options,
                                    const std::function<void(const CheckRecord&)>& told) {
    return Runner(plugin, kernels, options, told).run();
}

std::int64_t count_checks(std::span<const KernelInfo> kernels, const RunnerOptions& options) {
    std::int64_t count = 0;
    for (const Check* check : options.checks) {
        if (check->scope == Scope::plugin)
            count += kernels.empty() ? 0 : 1;
        else
            for (const KernelInfo& kernel : kernels)
                count += check->scope == Scope::kernel || kernel.whole_gemm
                             ? 1
                             : std::count_if(kernel.tiles.begin(), kernel.tiles.end(),
                                             [&](const TileInfo& tile) { return wanted(options, tile); });
    }
    return count;
}

CheckTotals totals_of(std::span<const CheckRecord> records) noexcept {
    CheckTotals totals;
    bool kernel_ran = false, kernel_asked = false;
    for (const CheckRecord& record : records) {
        const CheckStatus status = record.result.status;
        if (record.check->scope != Scope::plugin) {
            kernel_asked = true;
            kernel_ran = kernel_ran || status != CheckStatus::skip;
        }
        if (is_failure(status))
            ++totals.failed;
        else if (status == CheckStatus::pass)
            ++totals.passed;
        else if (status == CheckStatus::warn)
            ++totals.warned;
        else
            ++totals.skipped;
    }
    totals.no_kernel_ran = kernel_asked && !kernel_ran;
    return totals;
}

int exit_code_of(const CheckTotals& totals) noexcept {
    if (totals.failed != 0)
        return 1;
    return totals.passed + totals.warned == 0 || totals.no_kernel_ran ? 77 : 0;
}

} // namespace tune_gemm::host
