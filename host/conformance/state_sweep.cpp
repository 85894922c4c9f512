#include "conformance/state_sweep.hpp"

#include "conformance/subject.hpp"
#include "conformance/trampoline.hpp"

#include <algorithm>

namespace tune_gemm::host {
namespace {

std::int64_t count(const std::vector<std::int64_t>& values) {
    return static_cast<std::int64_t>(values.size());
}

const std::vector<std::int64_t> long_depths{32, 65, 131, 260};

template <class T>
class StateRun {
  public:
    StateRun(const CheckContext& given, Tally& tally, CallWatch& watch, const StateSweep& sweep)
        : context_(given), tally_(tally), watch_(watch), sweep_(sweep), sizes_(usual_sizes(given)) {
        context_.watch = &watch;
        if (!context_.kernel.whole_gemm)
            sizes_.k = tail_depths(extents_of(*context_.tile).unroll);
    }

    void run() {
        watch_.begin(Family::integers, 0);
        Sizes room = sizes_;
        room.k.push_back(long_depths.back());
        subject_ = make_subject<T>(context_, room); // calls enter
        judge_watch();
        for (int round = 0; round < sweep_.rounds; ++round) {
            run_sizes();
            run_variations();
            run_long_depths();
            watch_.end_round();
            judge_watch();
        }
        subject_->finish();
        subject_.reset(); // calls leave
        judge_watch();
    }

  private:
    void run_sizes() {
        Coverage& ran = tally_.owes({{"m", count(sizes_.m)}, {"n", count(sizes_.n)}, {"k", depths()}});
        Deck variations(subject_->variations(), context_.seed);
        Deck others(std::max<std::int64_t>(static_cast<std::int64_t>(sweep_.families.size()) - 1, 1),
                    context_.seed);
        Deck depths_by_turns(count(sizes_.k), context_.seed), modes(2, context_.seed);
        for (std::size_t im = 0; im < sizes_.m.size(); ++im)
            for (std::size_t in = 0; in < sizes_.n.size(); ++in)
                for (std::int64_t ik = 0; ik < depths(); ++ik) {
                    const std::int64_t depth = sweep_.brief ? depths_by_turns.draw() : ik;
                    numbers_.resize(sizes_.m[im], sizes_.n[in], sizes_.k[static_cast<std::size_t>(depth)]);
                    const bool storing_only = sweep_.brief && modes.draw() == 0;
                    for (const bool accumulate : {false, true}) {
                        if (sweep_.brief && accumulate == storing_only)
                            continue;
                        run_call(sweep_.families.front(), accumulate, variations.draw());
                        if (sweep_.families.size() > 1)
                            run_call(sweep_.families[static_cast<std::size_t>(1 + others.draw())], accumulate,
                                     variations.draw());
                    }
                    ran.ran({static_cast<std::int64_t>(im), static_cast<std::int64_t>(in), ik});
                }
    }

    void run_variations() {
        Coverage& ran = tally_.owes({{"accumulating", 2}, {"variation of forms", subject_->variations()}});
        Sizes edges = edge_sizes(context_);
        if (sweep_.brief)
            edges.m = {edges.m.back()}, edges.n = {edges.n.back()};
        for (const std::int64_t m : edges.m)
            for (const std::int64_t n : edges.n)
                for (std::int64_t variation = 0; variation < subject_->variations(); ++variation)
                    for (const bool accumulate : {false, true}) {
                        numbers_.resize(m, n, edges.k.back());
                        for (const Family family : sweep_.families)
                            run_call(family, accumulate, variation);
                        ran.ran({accumulate, variation});
                    }
    }

    /// A loop of its own for long sums may have an entry, and an end, of its own.
    void run_long_depths() {
        Coverage& ran = tally_.owes({{"long k", count(long_depths)}, {"accumulating", 2}});
        const Sizes edges = edge_sizes(context_);
        Deck variations(subject_->variations(), context_.seed);
        for (std::size_t ik = 0; ik < long_depths.size(); ++ik)
            for (const bool accumulate : {false, true})
                for (int turn = 0; turn < (sweep_.brief ? 1 : 4); ++turn) {
                    numbers_.resize(edges.m.back(), edges.n.back(), long_depths[ik]);
                    run_call(sweep_.families.front(), accumulate, variations.draw());
                    ran.ran({static_cast<std::int64_t>(ik), accumulate});
                }
    }

    std::int64_t depths() const { return sweep_.brief ? 1 : count(sizes_.k); }

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
    CallWatch& watch_;
    StateSweep sweep_;
    Sizes sizes_;
    std::unique_ptr<Subject<T>> subject_;
    Numbers<T> numbers_;
    Expectation<T> expected_;
    std::int64_t turn_ = 0;
    Chance chance_{context_.seed};
};

} // namespace

void sweep_state(const CheckContext& context, Tally& tally, CallWatch& watch, const StateSweep& sweep) {
    with_type(context, [&](auto zero) { StateRun<decltype(zero)>(context, tally, watch, sweep).run(); });
}

void need_trampoline() {
    if (const char* reason = no_trampoline())
        skip_check(reason);
}

} // namespace tune_gemm::host
