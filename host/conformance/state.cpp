// state.: what a call leaves behind in the processor, and what it may find there.
#include "conformance/state_watch.hpp"
#include "conformance/subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace tune_gemm::host {
namespace {

/// Which calls a check of this group makes: each size storing and accumulating, with the first family and one
/// of the others by turns, and the edge sizes in every variation of forms with each family.
struct StateSweep {
    std::vector<Family> families{Family::integers};
};

template <class T>
class StateRun {
  public:
    StateRun(const CheckContext& given, Tally& tally, StateWatch& watch, const StateSweep& sweep)
        : context_(given), tally_(tally), watch_(watch), sweep_(sweep), sizes_(usual_sizes(given)) {
        context_.watch = &watch;
        if (!context_.kernel.whole_gemm)
            sizes_.k = tail_depths(extents_of(*context_.tile).unroll);
    }

    void run() {
        watch_.begin(Family::integers, 0);
        subject_ = make_subject<T>(context_, sizes_);
        judge_watch();
        const auto count = [](const auto& values) { return static_cast<std::int64_t>(values.size()); };
        Coverage& sizes_ran =
            tally_.owes({{"m", count(sizes_.m)}, {"n", count(sizes_.n)}, {"k", count(sizes_.k)}});
        Coverage& variations_ran =
            tally_.owes({{"accumulating", 2}, {"variation of forms", subject_->variations()}});
        Deck deck(subject_->variations(), context_.seed);
        Deck others(std::max<std::int64_t>(count(sweep_.families) - 1, 1), context_.seed);
        for (std::size_t im = 0; im < sizes_.m.size(); ++im)
            for (std::size_t in = 0; in < sizes_.n.size(); ++in)
                for (std::size_t ik = 0; ik < sizes_.k.size(); ++ik) {
                    numbers_.resize(sizes_.m[im], sizes_.n[in], sizes_.k[ik]);
                    for (const bool accumulate : {false, true}) {
                        run_call(sweep_.families.front(), accumulate, deck.draw());
                        if (sweep_.families.size() > 1)
                            run_call(sweep_.families[static_cast<std::size_t>(1 + others.draw())], accumulate,
                                     deck.draw());
                    }
                    sizes_ran.ran({static_cast<std::int64_t>(im), static_cast<std::int64_t>(in),
                                   static_cast<std::int64_t>(ik)});
                }
        const Sizes edges = edge_sizes(context_);
        for (const std::int64_t m : edges.m)
            for (const std::int64_t n : edges.n)
                for (std::int64_t variation = 0; variation < subject_->variations(); ++variation)
                    for (const bool accumulate : {false, true}) {
                        numbers_.resize(m, n, edges.k.back());
                        for (const Family family : sweep_.families)
                            run_call(family, accumulate, variation);
                        variations_ran.ran({accumulate, variation});
                    }
        subject_->finish();
        subject_.reset(); // calls leave
        judge_watch();
    }

  private:
    void run_call(Family family, bool accumulate, std::int64_t variation) {
        const Recipe recipe{family, turn_ % 11, 0, context_.seed + static_cast<std::uint64_t>(turn_)};
        fill(numbers_, recipe);
        // Neighbouring calls differ in all that follows from the turn, and sizes do not go along with it.
        watch_.begin(family, chance_.below(1 << 20));
        ++turn_;
        expect(expected_, numbers_, accumulate, context_.kernel.arithmetic, family);
        if (subject_->run(numbers_, expected_, recipe, accumulate, variation))
            tally_.ran();
    }

    void judge_watch() const {
        if (!watch_.breach().empty())
            fail_check(watch_.breach() + ".");
    }

    CheckContext context_;
    Tally& tally_;
    StateWatch& watch_;
    StateSweep sweep_;
    Sizes sizes_;
    std::unique_ptr<Subject<T>> subject_;
    Numbers<T> numbers_;
    Expectation<T> expected_;
    std::int64_t turn_ = 0;
    Chance chance_{context_.seed};
};

void sweep_state(const CheckContext& context, Tally& tally, StateWatch& watch, const StateSweep& sweep) {
    with_type(context, [&](auto zero) { StateRun<decltype(zero)>(context, tally, watch, sweep).run(); });
}

void need_trampoline() {
    if (const char* reason = no_trampoline())
        skip_check(reason);
}

void check_registers(const CheckContext& context, Tally& tally) {
    need_trampoline();
    sweep_state(context, tally, *watch_registers(), {});
}

void check_float_control(const CheckContext& context, Tally& tally) {
    need_trampoline();
    const FloatControl now = float_control_now(), start = float_control_at_start();
    if (now.mxcsr != start.mxcsr)
        fail_check(fmt::format("Loading the plugin changed {} to {}.", mxcsr_text(start.mxcsr),
                               mxcsr_text(now.mxcsr)));
    if (now.x87 != start.x87)
        fail_check(fmt::format("Loading the plugin changed the x87 control word from {:#x} to {:#x}.",
                               start.x87, now.x87));
    sweep_state(context, tally, *watch_float_control(), {});
}

void check_float_flags(const CheckContext& context, Tally& tally) {
    need_trampoline();
    sweep_state(context, tally, *watch_float_flags(context.kernel.arithmetic),
                {{Family::integers, Family::cancelling, Family::scaled, Family::signed_zeros}});
}

using std::chrono::seconds;

const Check checks[] = {
    {"state.registers",
     "A call keeps the registers that belong to its caller, leaves the direction flag clear, and needs no "
     "more "
     "stack alignment than 16 bytes.",
     Severity::must, Scope::tile, seconds(10), check_registers},
    {"state.float_control",
     "Neither loading nor a call changes rounding, flushing, masks or precision, nor leaves x87 or MMX "
     "registers in use.",
     Severity::must, Scope::tile, seconds(10), check_float_control},
    {"state.float_flags",
     "A product raises no floating-point exception that its own arithmetic does not raise, and clears none.",
     Severity::must, Scope::tile, seconds(10), check_float_flags},
};

} // namespace

std::span<const Check> state_checks() noexcept {
    return checks;
}

} // namespace tune_gemm::host
