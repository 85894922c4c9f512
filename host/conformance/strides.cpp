// tail.strides: any strides that a form allows, at any distance from a cache line.
#include "conformance/strides.hpp"

#include "conformance/subject.hpp"

#include <algorithm>
#include <array>

namespace tune_gemm::host {
namespace {

/// Strides as users have them: odd, far apart, negative, zero where that can be, the two either way round;
/// and operands at every distance from a cache line.
template <class T>
void run_strides(const CheckContext& context, Tally& tally) {
    const Sizes sizes = edge_sizes(context);
    TileRig<T> rig(context, sizes.most_m(), sizes.most_n(), sizes.most_k(), true);
    enum Way { odd, far, negative, repeated, ways };
    Coverage& ran = tally.owes({{"strides", ways, {"odd", "far", "negative", "repeated"}},
                                {"forms", static_cast<std::int64_t>(rig.combinations().size())}});
    Coverage& shifts = tally.owes({{"elements off a cache line", 8}});
    Numbers<T> numbers;
    Expectation<T> expected;
    std::int64_t next = 0;
    for (const std::int64_t m : sizes.m) {
        for (const std::int64_t n : sizes.n) {
            for (const std::int64_t k : sizes.k) {
                for (std::int64_t number = 0; number < rig.variations(); ++number) {
                    for (std::int64_t way = 0; way < ways; ++way) {
                        TileCase made = rig.vary(m, n, k, number);
                        made.accumulate = (++next / 2) % 2 == 1;
                        made.recipe = {Family::integers, next % 5, 0, context.seed};
                        numbers.resize(m, n, k);
                        fill(numbers, made.recipe);
                        const std::array<Place*, 3> places{&made.a, &made.b, &made.c};
                        const std::array<Box, 3> boxes{Box{m, k}, Box{k, n}, Box{m, n}};
                        for (std::size_t at = 0; at < places.size(); ++at) {
                            Place& place = *places[at];
                            const auto spread = static_cast<std::int64_t>(at) * 2 + 1;
                            if (way == far)
                                set_strides(place, boxes[at].rows, boxes[at].columns, 1024 + spread,
                                            next % 2 == 0);
                            if (way == odd)
                                set_strides(place, boxes[at].rows, boxes[at].columns, spread, next % 2 == 0);
                            if (way == negative && place.form != Form::packed)
                                place.rs = place.rs == 1 ? 1 : -place.rs,
                                place.cs = place.cs == 1 ? 1 : -place.cs;
                            place.shift = (next + spread) % 8;
                        }
                        // All rows of A (columns of B) the same: a stride of 0, for inputs that take any
                        // strides.
                        if (way == repeated && made.a.form == Form::any) {
                            made.a.rs = 0;
                            for (std::int64_t i = 1; i < m; ++i)
                                std::copy_n(&numbers.at_a(0, 0), k, &numbers.at_a(i, 0));
                        }
                        if (way == repeated && made.b.form == Form::any) {
                            made.b.cs = 0;
                            for (std::int64_t l = 0; l < k; ++l)
                                std::fill_n(&numbers.at_b(l, 0), n, numbers.at_b(l, 0));
                        }
                        rig.settle(made);
                        expect(expected, numbers, made.accumulate, context.kernel.arithmetic,
                               made.recipe.family);
                        rig.run(made, numbers, expected);
                        tally.ran();
                        ran.ran({way, number % static_cast<std::int64_t>(rig.combinations().size())});
                        shifts.ran({made.c.shift});
                    }
                }
            }
        }
    }
    rig.finish();
}

/// Every distance between rows up to 130 elements past the least: a fault may need one of them.
template <class T>
void run_leading_dimensions(const CheckContext& context, Tally& tally) {
    constexpr std::int64_t pads = 131;
    const Sizes sizes = edge_sizes(context);
    const std::int64_t m = sizes.most_m(), n = sizes.most_n(), k = sizes.most_k();
    TileRig<T> rig(context, m, n, k, true);
    Coverage& ran = tally.owes({{"padding", pads}, {"storing", 2, {"storing", "accumulating"}}});
    Numbers<T> numbers;
    Expectation<T> expected;
    numbers.resize(m, n, k);
    Deck variations(rig.variations(), context.seed);
    for (std::int64_t pad = 0; pad < pads; ++pad) {
        for (const bool accumulate : {false, true}) {
            const Recipe recipe{Family::integers, pad % 11, 0, context.seed};
            fill(numbers, recipe);
            expect(expected, numbers, accumulate, context.kernel.arithmetic, recipe.family);
            for (std::size_t count = 0; count < 2 * rig.combinations().size(); ++count) {
                TileCase made = rig.vary(m, n, k, variations.draw());
                made.accumulate = accumulate;
                made.recipe = recipe;
                const bool transposed = count % 2 == 1;
                set_strides(made.a, m, k, pad, transposed);
                set_strides(made.b, k, n, pad, transposed);
                set_strides(made.c, m, n, pad, transposed);
                rig.settle(made);
                rig.run(made, numbers, expected);
                tally.ran();
            }
            ran.ran({pad, accumulate});
        }
    }
    rig.finish();
}

} // namespace

void check_strides(const CheckContext& context, Tally& tally) {
    if (context.kernel.whole_gemm)
        skip_check("A whole-gemm kernel declares no forms; tail.products takes its place.");
    with_type(context, [&](auto zero) {
        run_strides<decltype(zero)>(context, tally);
        run_leading_dimensions<decltype(zero)>(context, tally);
    });
}

} // namespace tune_gemm::host
