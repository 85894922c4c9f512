// result.: what comes out, for each family of data.
#include "conformance/subject.hpp"

#include <tune_gemm/checked.hpp>

#include <algorithm>
#include <array>
#include <functional>

namespace tune_gemm::host {
namespace {

/// The recipes of a check at one size.
using Recipes = std::function<void(std::int64_t m, std::int64_t n, std::int64_t k, std::vector<Recipe>&)>;

struct FamilyOptions {
    bool storing = true, accumulating = true;
    bool poisons = false;    ///< each call twice, with different contents of a C that is not to be read
    int variations = 2;      ///< of each case, and more where there are few cases
    bool edges_only = false; ///< at the edge sizes
};

template <class T>
class FamilyRun {
  public:
    FamilyRun(const CheckContext& context, Tally& tally, const FamilyOptions& options)
        : context_(context), tally_(tally), options_(options),
          sizes_(options.edges_only ? edge_sizes(context) : usual_sizes(context)),
          subject_(make_subject<T>(context, sizes_)),
          sizes_ran_(tally.owes({{"m", static_cast<std::int64_t>(sizes_.m.size()), texts(sizes_.m)},
                                 {"n", static_cast<std::int64_t>(sizes_.n.size()), texts(sizes_.n)},
                                 {"k", static_cast<std::int64_t>(sizes_.k.size()), texts(sizes_.k)}})),
          variations_ran_(tally.owes({{"accumulating", 2}, {"variation of forms", subject_->variations()}})),
          variations_each_(
              std::max<std::int64_t>(options.variations, ceil_div(subject_->variations(), sizes_.count()))),
          decks_{Deck(subject_->variations(), context.seed), Deck(subject_->variations(), context.seed + 1)} {
        // What is not asked for is not owed.
        for (std::int64_t variation = 0; variation < subject_->variations(); ++variation) {
            if (!options.storing)
                variations_ran_.ran({0, variation});
            if (!options.accumulating)
                variations_ran_.ran({1, variation});
        }
    }

    void run(const Recipes& recipes) {
        std::vector<Recipe> chosen;
        for (std::size_t im = 0; im < sizes_.m.size(); ++im)
            for (std::size_t in = 0; in < sizes_.n.size(); ++in)
                for (std::size_t ik = 0; ik < sizes_.k.size(); ++ik) {
                    numbers_.resize(sizes_.m[im], sizes_.n[in], sizes_.k[ik]);
                    chosen.clear();
                    recipes(numbers_.m, numbers_.n, numbers_.k, chosen);
                    for (const Recipe& recipe : chosen)
                        run_recipe(recipe);
                    if (!chosen.empty())
                        sizes_ran_.ran({static_cast<std::int64_t>(im), static_cast<std::int64_t>(in),
                                        static_cast<std::int64_t>(ik)});
                }
        subject_->finish();
    }

  private:
    static std::vector<std::string> texts(const std::vector<std::int64_t>& values) {
        std::vector<std::string> made;
        for (const std::int64_t value : values)
            made.push_back(std::to_string(value));
        return made;
    }

    void run_recipe(const Recipe& recipe) {
        fill(numbers_, recipe);
        for (const bool accumulate : {false, true}) {
            if (accumulate ? !options_.accumulating : !options_.storing)
                continue;
            expect(expected_, numbers_, accumulate, context_.kernel.arithmetic, recipe.family);
            for (std::int64_t count = 0; count < variations_each_; ++count) {
                const std::int64_t variation = decks_[accumulate].draw();
                for (int poison = 0; poison < (options_.poisons ? 2 : 1); ++poison) {
                    if (!subject_->run(numbers_, expected_, recipe, accumulate, variation, poison == 1))
                        continue;
                    tally_.ran();
                }
                variations_ran_.ran({accumulate, variation});
            }
        }
    }

    const CheckContext& context_;
    Tally& tally_;
    FamilyOptions options_;
    Sizes sizes_;
    std::unique_ptr<Subject<T>> subject_;
    Coverage& sizes_ran_;
    Coverage& variations_ran_;
    std::int64_t variations_each_;
    Numbers<T> numbers_;
    Expectation<T> expected_;
    std::array<Deck, 2> decks_; ///< of variations: storing, accumulating
};

void run_family(const CheckContext& context, Tally& tally, const FamilyOptions& options,
                const Recipes& recipes) {
    with_type(context, [&](auto zero) { FamilyRun<decltype(zero)>(context, tally, options).run(recipes); });
}

void run_one_recipe(const CheckContext& context, Tally& tally, const FamilyOptions& options, Recipe recipe) {
    run_family(context, tally, options, [&](auto m, auto n, auto k, std::vector<Recipe>& chosen) {
        recipe.seed = context.seed + static_cast<std::uint64_t>((m * 1000 + n) * 1000 + k);
        chosen.push_back(recipe);
    });
}

void check_integers(const CheckContext& context, Tally& tally) {
    run_one_recipe(context, tally, {}, {Family::integers});
}

void check_one_hot(const CheckContext& context, Tally& tally) {
    run_family(context, tally, {.variations = 1}, [&](auto, auto, auto k, std::vector<Recipe>& chosen) {
        for (std::int64_t at = 0; at < k; ++at) {
            chosen.push_back({Family::one_hot_a, at, 0, context.seed});
            chosen.push_back({Family::one_hot_b, at, 0, context.seed});
        }
    });
}

void check_rounding(const CheckContext& context, Tally& tally) {
    run_one_recipe(context, tally, {}, {Family::cancelling});
}

void check_scaled(const CheckContext& context, Tally& tally) {
    run_one_recipe(context, tally, {}, {Family::scaled});
}

void check_subnormal(const CheckContext& context, Tally& tally) {
    run_family(context, tally, {.variations = 1}, [&](auto m, auto n, auto k, std::vector<Recipe>& chosen) {
        const auto seed = context.seed + static_cast<std::uint64_t>(m * 100 + n + k);
        chosen.push_back({Family::subnormals, 0, 0, seed});
        chosen.push_back({Family::subnormals, 0, 1, seed});
    });
}

void check_signed_zero(const CheckContext& context, Tally& tally) {
    if (context.kernel.arithmetic.order != TG_SEQUENTIAL)
        skip_check("The sign of a zero sum is settled for sequential kernels only.");
    run_one_recipe(context, tally, {}, {Family::signed_zeros});
}

void check_overflow(const CheckContext& context, Tally& tally) {
    if (context.kernel.arithmetic.order != TG_SEQUENTIAL)
        skip_check("Which partial sums overflow is settled for sequential kernels only.");
    run_one_recipe(context, tally, {}, {Family::overflow});
}

/// One NaN, +Inf or -Inf at each element of A, of B and of C in turn.
void check_nonfinite(const CheckContext& context, Tally& tally) {
    run_family(
        context, tally, {.variations = 1, .edges_only = true},
        [&](auto m, auto n, auto k, std::vector<Recipe>& chosen) {
            const auto plant = [&](Family family, std::int64_t elements) {
                for (std::int64_t at = 0; at < elements; ++at)
                    for (int value = 0; value < 3; ++value)
                        chosen.push_back({family, at, value, context.seed + static_cast<std::uint64_t>(at)});
            };
            plant(Family::nonfinite_a, m * k);
            plant(Family::nonfinite_b, k * n);
        });
    run_family(context, tally, {.storing = false, .variations = 1, .edges_only = true},
               [&](auto m, auto n, auto, std::vector<Recipe>& chosen) {
                   for (std::int64_t at = 0; at < m * n; ++at)
                       chosen.push_back({Family::nonfinite_c, at, static_cast<int>(at % 3), context.seed});
               });
}

void check_unread_c(const CheckContext& context, Tally& tally) {
    run_one_recipe(context, tally, {.accumulating = false, .poisons = true}, {Family::integers, 1});
}

/// k = 0: A and B have no elements, so their addresses cannot be read.
template <class T>
void run_empty_sum(const CheckContext& context, Tally& tally) {
    Sizes sizes = usual_sizes(context);
    sizes.k = {0};
    const auto subject = make_subject<T>(context, sizes);
    Coverage& variations_ran =
        tally.owes({{"accumulating", 2}, {"variation of forms", subject->variations()}});
    std::array<Deck, 2> decks{Deck(subject->variations(), context.seed),
                              Deck(subject->variations(), context.seed + 1)};
    const std::int64_t variations_each =
        std::max<std::int64_t>(4, ceil_div(subject->variations(), sizes.count()));
    Numbers<T> numbers;
    Expectation<T> expected;
    for (const std::int64_t m : sizes.m) {
        for (const std::int64_t n : sizes.n) {
            numbers.resize(m, n, 0);
            for (const Family family : {Family::integers, Family::signed_zeros, Family::nonfinite_c}) {
                const Recipe recipe{family, m + n, static_cast<int>((m + n) % 3), context.seed};
                fill(numbers, recipe);
                for (const bool accumulate : {false, true}) {
                    expect(expected, numbers, accumulate, context.kernel.arithmetic, family);
                    for (std::int64_t count = 0; count < variations_each; ++count) {
                        const std::int64_t variation = decks[accumulate].draw();
                        if (subject->run(numbers, expected, recipe, accumulate, variation))
                            tally.ran();
                        variations_ran.ran({accumulate, variation});
                    }
                }
            }
        }
    }
    subject->finish();
}

void check_empty_sum(const CheckContext& context, Tally& tally) {
    with_type(context, [&](auto zero) { run_empty_sum<decltype(zero)>(context, tally); });
}

using std::chrono::seconds;

const Check result_table[] = {
    {"result.integers", "Products of small integers are exact.", Severity::must, Scope::tile, seconds(10),
     check_integers},
    {"result.one_hot", "Each l from 0 to k-1 is summed, once, with its own elements of A and B.",
     Severity::must, Scope::tile, seconds(10), check_one_hot},
    {"result.rounding",
     "A sequential kernel sums in increasing l and rounds as it declares, bit for bit; a reordered one stays "
     "within the "
     "componentwise bound.",
     Severity::must, Scope::tile, seconds(10), check_rounding},
    {"result.scaled", "Entries of very different size are each as exact as if they were alone.",
     Severity::must, Scope::tile, seconds(10), check_scaled},
    {"result.subnormal", "Subnormal operands and products are neither flushed nor taken for zero.",
     Severity::must, Scope::tile, seconds(10), check_subnormal},
    {"result.signed_zero", "A sum starts at +0, or at the C that was there, so zeros have the right sign.",
     Severity::must, Scope::tile, seconds(10), check_signed_zero},
    {"result.overflow", "Sums overflow, to infinity or NaN, just where the declared order and rounding do.",
     Severity::must, Scope::tile, seconds(10), check_overflow},
    {"result.nonfinite", "A NaN or infinity in A, B or C reaches just the entries of C that it belongs to.",
     Severity::must, Scope::tile, seconds(10), check_nonfinite},
    {"result.unread_c", "Without accumulation every entry of C is written, and none is read.", Severity::must,
     Scope::tile, seconds(10), check_unread_c},
    {"result.empty_sum",
     "With k = 0, C becomes zeros, or stays when accumulating, and neither A nor B is touched.",
     Severity::must, Scope::tile, seconds(10), check_empty_sum},
};

} // namespace

std::span<const Check> result_checks() noexcept {
    return result_table;
}

} // namespace tune_gemm::host
