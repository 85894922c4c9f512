// plugin.hpp, first and alone: its templates compile for both types that they are meant for.
#include <tune_gemm/plugin.hpp>

template void tune_gemm::plugin::portable_tile<double>(const tg_tile_args&) noexcept;
template void tune_gemm::plugin::portable_tile<float>(const tg_tile_args&) noexcept;
static_assert(tune_gemm::plugin::dtype_of<float> == TG_F32 && tune_gemm::plugin::dtype_of<double> == TG_F64);

namespace {

/// What an author writes: sums in registers, a mask, a request for a whole product.
template <class T, int bytes>
void tile(const tg_tile_args& args) noexcept {
    using namespace tune_gemm::plugin;
    constexpr int lanes = Lanes<T, bytes>::count;
    const TileView<T> view(args);
    Sums<T, 3, 2 * lanes, bytes> sums(view);
    for (std::int64_t l = 0; l < view.k(); ++l)
        sums.add_fused(sums.at[0][1], view.a(0, l), sums.row_of_b(view, l, 1));
    sums.store(view);
}

} // namespace

template <class T>
T start_of(const tg_problem& problem, const T& entry) {
    const tune_gemm::plugin::Product<T> product(problem);
    return product.reads_inputs() ? product.scaled(entry) : T(0);
}
template double start_of<double>(const tg_problem&, const double&);
template float start_of<float>(const tg_problem&, const float&);

void tiles(const tg_tile_args& args) {
    tile<double, 16>(args);
    tile<float, 16>(args);
}
