// concurrency.: several threads, threads that have just begun, and a process that forks.
#include "conformance/fork_trial.hpp"
#include "conformance/plan_choices.hpp"
#include "conformance/plan_rig.hpp"
#include "conformance/process_state.hpp"
#include "conformance/subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace tune_gemm::host {
namespace {

constexpr std::size_t crew = 7; // more than processors on a small machine: they are interrupted, too

/// How often the threads begin together, and how many runs each makes then. After short rounds they are where
/// they began, all at once; in long ones the system takes the processor from them in the middle of a call.
struct Rounds {
    int starts, runs;
};
constexpr Rounds all_rounds[] = {{100, 10}, {3, 250}};

/// A product of several tiles whose calls are long, so that threads meet in them; every number gives another
/// shape.
Choices long_product(const CheckContext& context, std::int64_t number) {
    Choices made = base_choices(context, context.tile);
    made.k = 200 + 37 * number;
    if (context.kernel.whole_gemm) {
        made.m = 48 - 5 * number, made.n = 31 + 3 * number;
        return made;
    }
    GemmCandidate& candidate = made.candidates.front();
    made.m = std::max<std::int64_t>(made.m - number, 1),
    made.n = std::max<std::int64_t>(made.n - 2 * number, 1);
    candidate.mc = up_to_multiple(made.m, candidate.mr), candidate.nc = up_to_multiple(made.n, candidate.nr);
    candidate.kc = up_to_multiple(made.k, std::max<std::int64_t>(context.tile->kr, 1));
    return made;
}

/// Makes the rig ready for this product with the first layout and one of the packings that the kernel takes;
/// false when it takes none.
template <class T>
bool make_ready(const CheckContext& context, PlanRig<T>& rig, std::int64_t number,
                const std::vector<Packing>& packings) {
    const Choices choices = long_product(context, number);
    GemmCandidate candidate = choices.candidates.front();
    for (int layouts = 0; layouts < 8; ++layouts) {
        rig.set_problem(problem_for(context, choices, (layouts + static_cast<int>(number)) % 8),
                        context.seed + static_cast<std::uint64_t>(number));
        for (const Packing packing : packings) {
            if (!context.kernel.whole_gemm)
                candidate.packing = packing;
            if (!rig.plan(candidate))
                continue;
            rig.lay_out({}, T(0));
            return true;
        }
    }
    return false;
}

/// Keeps the first exception of several threads.
class FirstTrouble {
  public:
    bool any() const noexcept { return any_; }
    /// Calls f, unless there is trouble already.
    void watch(const std::function<void()>& f) noexcept {
        if (any_)
            return;
        try {
            f();
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!any_.exchange(true))
                trouble_ = std::current_exception();
        }
    }
    void rethrow() const {
        if (trouble_)
            std::rethrow_exception(trouble_);
    }

  private:
    std::atomic<bool> any_{false};
    std::mutex mutex_;
    std::exception_ptr trouble_;
};

/// Runs what all rigs have ready at once, each in a thread of its own, and compares with what it gave alone.
template <class T>
void run_together(const CheckContext& context, Tally& tally, std::vector<std::unique_ptr<PlanRig<T>>>& rigs) {
    std::vector<std::vector<T>> alone;
    std::vector<std::string> told;
    for (auto& rig : rigs)
        alone.push_back(rig->run_again()), told.push_back(rig->told());
    FirstTrouble trouble;
    std::barrier<> together(static_cast<std::ptrdiff_t>(rigs.size()));
    std::vector<std::thread> threads;
    for (std::size_t own = 0; own < rigs.size(); ++own)
        threads.emplace_back([&, own] {
            const std::string here = told[own] + fmt::format(", beside {} other threads", rigs.size() - 1);
            const std::string before = told[own] + ", alone";
            for (const Rounds& rounds : all_rounds)
                for (int start = 0; start < rounds.starts; ++start) {
                    together.arrive_and_wait();
                    for (int run = 0; run < rounds.runs; ++run)
                        trouble.watch([&] {
                            require_same(context, alone[own], before, rigs[own]->run_again(), here,
                                         rigs[own]->problem().n);
                        });
                }
        });
    for (std::thread& thread : threads)
        thread.join();
    trouble.rethrow();
    for (const Rounds& rounds : all_rounds)
        for (std::size_t own = 0; own < rigs.size() * static_cast<std::size_t>(rounds.starts * rounds.runs);
             ++own)
            tally.ran();
}

void need_shared_run(const CheckContext& context) {
    if ((context.kernel.flags & TG_SERIAL_ONLY) != 0)
        skip_check("The kernel says that one thread at a time may call it (TG_SERIAL_ONLY).");
}

template <class T>
void run_shapes(const CheckContext& context, Tally& tally) {
    for (const std::vector<Packing>& packings :
         {std::vector{Packing::ab, Packing::b, Packing::a, Packing::none},
          std::vector{Packing::none, Packing::a, Packing::b, Packing::ab}}) {
        std::vector<std::unique_ptr<PlanRig<T>>> rigs;
        for (std::size_t number = 0; number < crew; ++number) {
            auto rig = std::make_unique<PlanRig<T>>(context, tiles_of(context));
            if (make_ready(context, *rig, static_cast<std::int64_t>(number), packings))
                rigs.push_back(std::move(rig));
        }
        if (rigs.size() > 1)
            run_together(context, tally, rigs);
        if (context.kernel.whole_gemm)
            break; // packs for itself
    }
}

template <class T>
void run_one_plan(const CheckContext& context, Tally& tally) {
    std::vector<std::unique_ptr<PlanRig<T>>> rigs;
    rigs.push_back(std::make_unique<PlanRig<T>>(context, tiles_of(context)));
    if (!make_ready(context, *rigs.front(), 0, {Packing::ab, Packing::b, Packing::a, Packing::none}))
        return;
    for (std::size_t number = 1; number < crew; ++number) {
        rigs.push_back(std::make_unique<PlanRig<T>>(context, tiles_of(context)));
        // Each with other numbers, or a thread that computes another's product would not show.
        rigs.back()->share_plan(*rigs.front(), context.seed + number);
        rigs.back()->lay_out({}, T(0));
    }
    run_together(context, tally, rigs);
}

/// Calls f on a thread that begins with it and ends after it.
void on_fresh_thread(const std::function<void()>& f) {
    FirstTrouble trouble;
    std::thread([&] { trouble.watch(f); }).join();
    trouble.rethrow();
}

template <class T>
void run_fresh_threads(const CheckContext& context, Tally& tally) {
    constexpr std::int64_t threads = 8;
    ProcessState before = ProcessState::now();
    for (std::int64_t number = 0; number < threads; ++number) {
        PlanRig<T> rig(context, tiles_of(context));
        bool ready = false;
        // Planned on one thread, run on this one and on another, and released here.
        on_fresh_thread([&] {
            ready =
                make_ready(context, rig, number % 4, {Packing::ab, Packing::b, Packing::a, Packing::none});
        });
        if (!ready)
            continue;
        const std::vector<T> here = rig.run_again();
        const std::string told = rig.told();
        on_fresh_thread([&] {
            require_same(context, here, told + ", on the main thread", rig.run_again(),
                         told + ", on a thread that has just begun", rig.problem().n);
        });
        tally.ran();
    }
    if ((context.kernel.flags & TG_OWN_THREADS) != 0)
        before.forget_threads();
    std::string changed;
    for (int look = 0; look < 100; ++look) { // a thread that has been joined may be seen a moment longer
        changed = before.difference(ProcessState::now());
        if (changed.empty())
            return;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    fail_check(fmt::format("Calls on threads that have ended changed {}.", changed));
}

template <class T>
void run_forks(const CheckContext& context, Tally& tally) {
    PlanRig<T> rig(context, tiles_of(context));
    if (!make_ready(context, rig, 0, {Packing::ab, Packing::b, Packing::a, Packing::none}))
        return;
    const std::vector<T> before = rig.run_again();
    const std::string told = rig.told();
    for (int fork = 0; fork < 2; ++fork) {
        const std::string trouble = try_in_fork([&] {
            require_same(context, before, told + ", before a fork", rig.run_again(),
                         told + ", in the child of a fork", rig.problem().n);
        });
        if (!trouble.empty())
            fail_check(trouble);
        require_same(context, before, told + ", before a fork", rig.run_again(), told + ", after a fork",
                     rig.problem().n);
        tally.ran();
    }
}

void check_shapes(const CheckContext& context, Tally& tally) {
    need_shared_run(context);
    with_type(context, [&](auto zero) { run_shapes<decltype(zero)>(context, tally); });
}
void check_one_plan(const CheckContext& context, Tally& tally) {
    need_shared_run(context);
    with_type(context, [&](auto zero) { run_one_plan<decltype(zero)>(context, tally); });
}
void check_fresh_thread(const CheckContext& context, Tally& tally) {
    with_type(context, [&](auto zero) { run_fresh_threads<decltype(zero)>(context, tally); });
}
void check_fork(const CheckContext& context, Tally& tally) {
    with_type(context, [&](auto zero) { run_forks<decltype(zero)>(context, tally); });
}

using std::chrono::seconds;

const Check concurrency_table[] = {
    {"concurrency.shapes", "Several threads may call at once, each with a product of its own.",
     Severity::must, Scope::tile, seconds(60), check_shapes},
    {"concurrency.one_plan",
     "Several threads may run one plan at once, each with a C and a workspace of its own.", Severity::must,
     Scope::tile, seconds(60), check_one_plan},
    {"concurrency.fresh_thread",
     "A call on a thread that has just begun gives the same result, and leaves nothing behind when it ends.",
     Severity::must, Scope::tile, seconds(10), check_fresh_thread},
    {"concurrency.fork", "After a fork a kernel works on in both processes.", Severity::must, Scope::tile,
     seconds(30), check_fork},
};

} // namespace

std::span<const Check> concurrency_checks() noexcept {
    return concurrency_table;
}

} // namespace tune_gemm::host
