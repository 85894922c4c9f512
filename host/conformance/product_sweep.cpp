#include "conformance/product_sweep.hpp"

#include "conformance/sizes.hpp"

#include <tune_gemm/checked.hpp>

#include <algorithm>

namespace tune_gemm::host {
namespace {

/// Whether the class leaves open what comes out, bit for bit. Scalars other than 0 and 1 round: for tiles the
/// driver puts alpha into B, so only the order of the sum is open then; a whole-gemm kernel may do as it
/// likes.
bool scalars_are_free(const ProductCase& product, const ArithmeticClass& arithmetic) noexcept {
    const GemmProblem& p = product.problem;
    return (product.whole_gemm || arithmetic.order != TG_SEQUENTIAL) &&
           ((p.alpha != 0 && p.alpha != 1) || (p.beta != 0 && p.beta != 1));
}

ProductRoom room_for(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch,
                     std::int64_t workspace) {
    constexpr std::int64_t pad = 8;
    const auto elements = [&](std::int64_t rows, std::int64_t columns) {
        return (rows + pad) * (columns + pad) * batch;
    };
    return {elements(m, k), elements(k, n), elements(m, n), workspace};
}

} // namespace

template <class T>
ProductSweep<T>::ProductSweep(const CheckContext& context, Tally& tally, std::int64_t m, std::int64_t n,
                              std::int64_t k, std::int64_t batch, std::int64_t workspace)
    : context_(context), tally_(tally), rig_(context, room_for(m, n, k, batch, workspace)) {}

template <class T>
void ProductSweep<T>::fill_numbers(const ProductCase& product) {
    const GemmProblem& p = product.problem;
    numbers_.resize(static_cast<std::size_t>(p.batch));
    expected_.resize(static_cast<std::size_t>(p.batch));
    const ArithmeticClass& arithmetic = context_.kernel.arithmetic;
    const Judging judging = scalars_are_free(product, arithmetic)
                                ? Judging::bound
                                : judging_of(arithmetic, product.recipe.family);
    const auto alpha = static_cast<T>(p.alpha), beta = static_cast<T>(p.beta);
    for (std::size_t at = 0; at < numbers_.size(); ++at) {
        Recipe recipe = product.recipe;
        recipe.index += static_cast<std::int64_t>(at);
        recipe.seed += at;
        numbers_[at].resize(p.m, p.n, p.k);
        fill(numbers_[at], recipe);
        // A batch stride of 0: all products share the operand.
        if (at > 0 && p.a.batch == 0)
            numbers_[at].a = numbers_[0].a;
        if (at > 0 && p.b.batch == 0)
            numbers_[at].b = numbers_[0].b;
        expected_[at].compute(numbers_[at], alpha, beta, arithmetic.muladd, judging);
    }
}

template <class T>
bool ProductSweep<T>::run(const ProductCase& product) {
    if (!rig_.plan(product))
        return false;
    run_again(product);
    return true;
}

template <class T>
void ProductSweep<T>::run_again(const ProductCase& product) {
    fill_numbers(product);
    rig_.run(product, numbers_, expected_);
    tally_.ran();
}

template class ProductSweep<float>;
template class ProductSweep<double>;

std::vector<Blocking> blockings_for(const CheckContext& context) {
    if (context.kernel.whole_gemm)
        return {{1, 1, 16, 16, 16}}; // only the sizes that follow from it matter
    const TileExtents tile = extents_of(*context.tile);
    const std::int64_t kr = std::max<std::int64_t>(1, context.tile->kr);
    const std::int64_t kc = round_up(tile.unroll + 2, kr), long_kc = round_up(2 * tile.unroll + 1, kr);
    if (!tile.free) {
        const std::int64_t several = tile.mr * tile.nr > 512 ? 1 : 2;
        return {{tile.mr, tile.nr, several * tile.mr, several * tile.nr, kc},
                {tile.mr, tile.nr, tile.mr, tile.nr, long_kc, true}};
    }
    std::vector<Blocking> all;
    const auto add = [&](std::int64_t mr, std::int64_t nr, std::int64_t mc, std::int64_t nc,
                         bool edges_only) {
        if (mr <= tile.mr && nr <= tile.nr)
            all.push_back({mr, nr, mc, nc, kc, edges_only});
    };
    // A free tile takes blocks that are no multiple of it.
    add(1, 1, 2, 3, false);
    add(3, 5, 7, 11, false);
    add(4, 4, 8, 8, true);
    add(8, 8, 20, 16, true);
    add(tile.mr, tile.nr, tile.mr + 1, tile.nr, true);
    return all;
}

GemmCandidate candidate_for(const CheckContext& context, const Blocking& blocking, LoopOrder order,
                            Packing packing) {
    GemmCandidate candidate;
    candidate.microkernel_id = context.kernel.id;
    if (context.kernel.whole_gemm) {
        candidate.mc = candidate.nc = candidate.kc = candidate.mr = candidate.nr = 1;
        candidate.loop_order = LoopOrder::own;
        candidate.packing = Packing::none;
        return candidate;
    }
    candidate.mc = blocking.mc, candidate.nc = blocking.nc, candidate.kc = blocking.kc;
    candidate.mr = blocking.mr, candidate.nr = blocking.nr;
    candidate.loop_order = order;
    candidate.packing = packing;
    return candidate;
}

std::int64_t workspace_room(const CheckContext& context, const std::vector<Blocking>& blockings) {
    if (context.kernel.whole_gemm)
        return most_own_workspace;
    std::int64_t most = 0;
    for (const Blocking& blocking : blockings)
        most =
            std::max(most, workspace_bytes(candidate_for(context, blocking, LoopOrder::m_n_k, Packing::ab)));
    return most + 2 * std::int64_t{context.tile->align_packed};
}

} // namespace tune_gemm::host
