#include "conformance/subject.hpp"

#include "conformance/poison.hpp"

#include <array>

namespace tune_gemm::host {
namespace {

template <class T>
class TileSubject final : public Subject<T> {
  public:
    TileSubject(const CheckContext& context, const Sizes& sizes)
        : rig_(context, sizes.most_m(), sizes.most_n(), sizes.most_k()) {}

    std::int64_t variations() const override { return rig_.variations(); }
    bool run(const Numbers<T>& numbers, const Expectation<T>& expected, const Recipe& recipe, bool accumulate,
             std::int64_t variation, bool dirty_c) override {
        TileCase made = rig_.vary(numbers.m, numbers.n, numbers.k, variation % variations());
        made.accumulate = accumulate;
        made.dirty_c = dirty_c;
        made.recipe = recipe;
        rig_.run(made, numbers, expected);
        return true;
    }
    void finish() override { rig_.finish(); }

  private:
    TileRig<T> rig_;
};

constexpr std::array<std::int64_t, 3> pads{0, 1, 3};

template <class T>
class GemmSubject final : public Subject<T> {
  public:
    GemmSubject(const CheckContext& context, const Sizes& sizes) : rig_(context, room_for(sizes)) {}

    std::int64_t variations() const override { return 8 * 2; }
    bool run(const Numbers<T>& numbers, const Expectation<T>& expected, const Recipe& recipe, bool accumulate,
             std::int64_t variation, bool dirty_c) override {
        ProductCase made;
        made.whole_gemm = true;
        made.problem.m = numbers.m, made.problem.n = numbers.n, made.problem.k = numbers.k;
        made.problem.beta = accumulate ? 1 : 0;
        const std::int64_t mixed = variation + numbers.m + numbers.n;
        set_layout(made.problem, static_cast<int>(variation % 8), pads[static_cast<std::size_t>(mixed % 3)]);
        made.placement = variation / 8 % 2 == 0 ? Placement::flush_end : Placement::flush_start;
        made.poison = static_cast<Poison>(mixed % 3);
        made.dirty_c = dirty_c;
        made.recipe = recipe;
        if (!rig_.plan(made))
            return false;
        rig_.run(made, std::span(&numbers, 1), std::span(&expected, 1));
        return true;
    }
    void finish() override { rig_.finish(); }

  private:
    static ProductRoom room_for(const Sizes& sizes) {
        const auto room = [](std::int64_t rows, std::int64_t columns) { return (rows + 4) * (columns + 4); };
        const std::int64_t m = sizes.most_m(), n = sizes.most_n(), k = sizes.most_k();
        return {room(m, k), room(k, n), room(m, n), most_own_workspace};
    }
    ProductRig<T> rig_;
};

} // namespace

template <class T>
std::unique_ptr<Subject<T>> make_subject(const CheckContext& context, const Sizes& sizes) {
    if (context.kernel.whole_gemm)
        return std::make_unique<GemmSubject<T>>(context, sizes);
    return std::make_unique<TileSubject<T>>(context, sizes);
}

template std::unique_ptr<Subject<float>> make_subject<float>(const CheckContext&, const Sizes&);
template std::unique_ptr<Subject<double>> make_subject<double>(const CheckContext&, const Sizes&);

} // namespace tune_gemm::host
