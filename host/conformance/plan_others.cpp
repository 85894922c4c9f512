#include "conformance/plan_others.hpp"

#include "conformance/plan_choices.hpp"
#include "conformance/plan_rig.hpp"
#include "conformance/subject.hpp"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace tune_gemm::host {
namespace {

constexpr std::size_t most_plans = 8; // plans that live at once

/// A plan, and what it gave when it was new.
template <class T>
struct Living {
    std::unique_ptr<PlanRig<T>> rig;
    std::vector<T> first;
    std::string told;
};

/// The products differ in all that a plan has to remember: extents, layouts, scalars.
template <class T>
class OtherPlans {
  public:
    OtherPlans(const CheckContext& context, Tally& tally) : context_(context), tally_(tally) {}

    /// Makes the plan of this number and runs it; nothing is added when the kernel refuses it.
    void add(std::int64_t number) {
        constexpr std::array<double, 4> alphas{1, -1, 2, 0.5}, betas{0, 1, -1, 0.5};
        Choices choices = base_choices(context_, context_.tile);
        choices.m = std::max<std::int64_t>(choices.m - number % 5, 1);
        choices.n = std::max<std::int64_t>(choices.n - number % 7, 1);
        choices.k += number % 3;
        Living<T> made{std::make_unique<PlanRig<T>>(context_, tiles_of(context_)), {}, {}};
        for (int layouts = 0; layouts < 8; ++layouts) {
            GemmProblem problem = problem_for(context_, choices, (layouts + static_cast<int>(number)) % 8);
            problem.alpha = alphas[static_cast<std::size_t>(number % 4)];
            problem.beta = betas[static_cast<std::size_t>(number / 2 % 4)];
            made.rig->set_problem(problem, context_.seed + static_cast<std::uint64_t>(number));
            if (!plan(*made.rig, choices.candidates.front()))
                continue;
            made.first = made.rig->run(), made.told = made.rig->told() + ", the plan being new";
            living_.push_back(std::move(made));
            return;
        }
    }
    /// Runs all, each once more, from the first to the last or the other way.
    void run_all(bool backwards) {
        for (std::size_t at = 0; at < living_.size(); ++at) {
            Living<T>& one = living_[backwards ? living_.size() - 1 - at : at];
            require_same(context_, one.first, one.told, one.rig->run(),
                         one.rig->told() + ", other plans having been made, run or released since",
                         one.rig->problem().n);
            tally_.ran();
        }
    }
    void release(std::size_t at) {
        if (at < living_.size())
            living_.erase(living_.begin() + static_cast<std::ptrdiff_t>(at));
    }
    std::size_t count() const noexcept { return living_.size(); }

  private:
    bool plan(PlanRig<T>& rig, GemmCandidate candidate) const {
        for (const Packing packing : {Packing::none, Packing::b, Packing::a, Packing::ab}) {
            if (!context_.kernel.whole_gemm)
                candidate.packing = packing;
            if (rig.plan(candidate))
                return true;
        }
        return false;
    }

    const CheckContext& context_;
    Tally& tally_;
    std::vector<Living<T>> living_;
};

} // namespace

template <class T>
void run_beside_others(const CheckContext& context, Tally& tally) {
    OtherPlans<T> plans(context, tally);
    for (std::int64_t number = 0; number < 32; ++number) {
        plans.add(number);
        plans.run_all(number % 2 == 1);
        // Now the oldest goes, now the newest, now one between.
        if (plans.count() == most_plans)
            plans.release(static_cast<std::size_t>(number * 3) % most_plans);
        plans.run_all(number % 2 == 0);
    }
}

template void run_beside_others<float>(const CheckContext&, Tally&);
template void run_beside_others<double>(const CheckContext&, Tally&);

} // namespace tune_gemm::host
