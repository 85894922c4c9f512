#include "cli/profile_tile.hpp"

#include "cli/kernel_text.hpp"
#include "tune/interrupt.hpp"
#include "tune/repeat.hpp"
#include "tune/worker_measurer.hpp"
#include "worker/process.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace tune_gemm::host {
namespace {

/// The words of a command that repeats this one: where the plugin comes from.
std::string plugin_words(const ProfileOptions& options) {
    return (names_a_file(options.what) ? " --plugin-path " + shell_word(options.what) : "") +
           options.plugins.words();
}

/// A worker for one tile, its deadlines, and what is said when something goes wrong.
class TileProfiler {
  public:
    /// All of these outlive it.
    TileProfiler(const ProfileOptions& options, const KernelInfo& kernel, const JobSpecification& spec,
                 Progress& progress, std::string activity)
        : options_(options), kernel_(kernel), spec_(spec), progress_(progress),
          activity_(std::move(activity)), worker_(limits()) {}

    Profile operator()() {
        // A kernel that hangs does so here; and how long a product takes says what the rest may take.
        const auto begun = Clock::now();
        step_ = "judging";
        const json::value judged =
            call("validate", specification_json(spec_), call_patience_ns(spec_.shape, 2, 0));
        const std::int64_t product_ns = std::chrono::nanoseconds(Clock::now() - begun).count();
        require(parse_judgement(json::Field(judged, "the worker's answer")["judgement"]), "");
        step_ = "timing";
        json::object request = specification_json(spec_);
        request["seconds"] = json::real(options_.seconds);
        // Some tens of products: judged, calibrated, and each kind at least five times.
        const json::value answer =
            call("profile", request,
                 default_patience_ns + static_cast<std::int64_t>(3e9 * options_.seconds) + 100 * product_ns);
        Profile profile = parse_profile(json::Field(answer, "the worker's answer"));
        require(profile.judgement, profile.wrong);
        return profile;
    }

  private:
    using Clock = std::chrono::steady_clock;

    /// Asked several times a second, so that the line shows the time as well.
    WorkerLimits limits() {
        // Each helper maps a stack, and the C library an arena for it, whether they are used or not.
        constexpr std::int64_t thread_bytes = std::int64_t{256} << 20;
        WorkerLimits limits;
        limits.memory_bytes =
            worker_memory_bytes(spec_.shape, sizeof(double)) + (spec_.threads - 1) * thread_bytes;
        limits.interrupted = [this] {
            ProgressState state;
            state.activity = fmt::format("{}, {}, seconds", activity_, step_);
            state.done = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begun_).count();
            progress_.show(state);
            return InterruptGuard::interrupted();
        };
        return limits;
    }

    std::string repeat() const {
        const std::string threads = spec_.threads > 1 ? fmt::format(" --threads {}", spec_.threads) : "";
        return repeat_command(spec_.candidate, spec_.shape, spec_.seed, options_.workspace_limit,
                              threads + plugin_words(options_));
    }

    json::value call(std::string_view job, const json::object& request, std::int64_t patience_ns) {
        WorkerAnswer answer = worker_.call(job, request, std::chrono::milliseconds(patience_ns / 1'000'000));
        if (!answer.failure)
            return std::move(*answer.value);
        progress_.clear();
        if (InterruptGuard::interrupted())
            throw Error(ErrorKind::interrupted,
                        "Interrupted before the profile was there; nothing was found out.");
        const WorkerFailure& failure = *answer.failure;
        throw Error(
            ErrorKind::failed,
            fmt::format("The worker that profiled {} at {} {}.{}\n  repeat in a debugger: {} --in-process",
                        kernel_.id, shape_text(spec_.shape), failure.sentence,
                        failure.output.empty() ? "" : " It printed: " + failure.output, repeat()));
    }

    /// `wrong`: of the tile alone; empty when it was not.
    void require(const Judgement& judgement, const std::string& wrong) const {
        if (judgement.correct && wrong.empty())
            return;
        progress_.clear();
        throw Error(ErrorKind::failed,
                    fmt::format("The kernel {} is wrong, so it was not timed: {}.\n"
                                "  all checks: tune-gemm check {}{}\n  repeat: {}",
                                kernel_.id,
                                judgement.correct ? wrong
                                : judgement.first ? to_text(*judgement.first)
                                                  : "its product is not that of the reference",
                                shell_word(options_.what), options_.plugins.words(), repeat()));
    }

    const ProfileOptions& options_;
    const KernelInfo& kernel_;
    const JobSpecification& spec_;
    Progress& progress_;
    std::string activity_, step_;
    Clock::time_point begun_ = Clock::now();
    Worker worker_;
};

} // namespace

Profile profile_tile(const ProfileOptions& options, const KernelInfo& kernel, const JobSpecification& spec,
                     Progress& progress, const std::string& activity) {
    return TileProfiler(options, kernel, spec, progress, activity)();
}

} // namespace tune_gemm::host
