// Whole products: whatever the tile, blocks, packing, order of loops and lie of the operands, the bits are
// those of the plain fused loop. All three plugins are held to the same reference, so they agree with each
// other.
#include "product.hpp"
#include "subject.hpp"

#include <tune_gemm/checked.hpp>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>

namespace tune_gemm::test {
namespace {

constexpr Packing packings[] = {Packing::none, Packing::a, Packing::b, Packing::ab};
constexpr LoopOrder orders[] = {LoopOrder::m_n_k, LoopOrder::n_k_m};

template <class T>
constexpr tg_dtype dtype = sizeof(T) == 4 ? TG_F32 : TG_F64;

/// Sizes of tiles to try: those of fixed tiles, some of a free one.
std::vector<std::pair<std::int64_t, std::int64_t>> tile_sizes(const KernelInfo& kernel) {
    std::vector<std::pair<std::int64_t, std::int64_t>> sizes;
    for (const TileInfo& tile : kernel.tiles) {
        if (tile.is_free())
            sizes.insert(sizes.end(), {{1, 1}, {2, 5}, {4, 8}, {7, 3}});
        else
            sizes.emplace_back(tile.mr, tile.nr);
    }
    return sizes;
}

struct Count {
    int equal = 0, refused = 0;
    std::set<std::string> reasons;

    void add(const Finding& finding) {
        REQUIRE_MESSAGE(finding.verdict != Verdict::wrong, finding.what);
        equal += finding.verdict == Verdict::equal;
        refused += finding.verdict == Verdict::refused;
    }
};

template <class T>
void tails(const KernelInfo& kernel) {
    Count count;
    std::uint64_t seed = 0;
    for (const auto& [mr, nr] : tile_sizes(kernel)) {
        const std::int64_t mc = 2 * mr, nc = 2 * nr, kc = 6;
        for (const std::int64_t m : {std::int64_t{1}, mr - 1, mr, mr + 1, mc - 1, mc, mc + 1, mc + mr + 1}) {
            for (const std::int64_t n :
                 {std::int64_t{1}, nr - 1, nr, nr + 1, nc - 1, nc, nc + 1, nc + nr + 1}) {
                for (const std::int64_t k : {1, 5, 6, 7, 13}) {
                    if (m == 0 || n == 0)
                        continue;
                    ++seed;
                    Product p{.m = m, .n = n, .k = k, .seed = seed};
                    p.beta = seed % 3 == 0 ? 1 : 0;
                    p.lie_b = seed % 4 == 0 ? Lie::gapped_rows : Lie::rows;
                    p.lie_a = every_lie[seed % 5];
                    p.candidate = {.mc = mc,
                                   .nc = nc,
                                   .kc = kc,
                                   .mr = mr,
                                   .nr = nr,
                                   .packing = packings[seed % 4],
                                   .loop_order = orders[seed / 4 % 2],
                                   .microkernel_id = kernel.id};
                    count.add(compute<T>(p));
                }
            }
        }
    }
    CHECK(count.refused == 0);
    CHECK(count.equal > 1000);
}

template <class T>
void layouts(const KernelInfo& kernel) {
    Count count;
    std::uint64_t seed = 1000000;
    for (const auto& [mr, nr] : tile_sizes(kernel)) {
        for (const Lie lie_a : every_lie) {
            for (const Lie lie_b : every_lie) {
                for (const Lie lie_c : every_lie) {
                    for (const Packing packing : packings) {
                        Product p{.m = mr + 3,
                                  .n = nr + 5,
                                  .k = 11,
                                  .batch = 2,
                                  .lie_a = lie_a,
                                  .lie_b = lie_b,
                                  .lie_c = lie_c,
                                  .seed = ++seed};
                        p.candidate = {.mc = mr,
                                       .nc = nr,
                                       .kc = 4,
                                       .mr = mr,
                                       .nr = nr,
                                       .packing = packing,
                                       .loop_order = orders[seed % 2],
                                       .microkernel_id = kernel.id};
                        const Finding finding = compute<T>(p);
                        count.add(finding);
                        // With both packed there is nothing that a tile could refuse.
                        CHECK_MESSAGE((packing != Packing::ab || finding.verdict == Verdict::equal),
                                      finding.what);
                    }
                }
            }
        }
    }
    CHECK(count.equal > 2 * count.refused);
}

/// What kernels may have entries of their own for: small cubes, few columns beside rows read in place, and
/// narrow products of a short k.
template <class T>
void selected_entries(const KernelInfo& kernel) {
    Count count;
    std::uint64_t seed = 2000000;
    const auto add = [&](std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t kc, std::int64_t mr,
                         std::int64_t nr) {
        ++seed;
        Product p{.m = m, .n = n, .k = k, .batch = 2, .seed = seed};
        p.lie_a = seed % 4 == 0 ? Lie::gapped_rows : Lie::rows;
        p.beta = seed % 3 == 0 ? 1 : 0;
        p.infinite = seed % 5 == 0;
        p.candidate = {.mc = round_up(m, mr),
                       .nc = round_up(n, nr),
                       .kc = kc,
                       .mr = mr,
                       .nr = nr,
                       .packing = Packing::none,
                       .loop_order = orders[seed % 2],
                       .microkernel_id = kernel.id};
        count.add(compute<T>(p));
    };
    for (const auto& [mr, nr] : tile_sizes(kernel)) {
        for (const std::int64_t n : {1, 2, 3, 4, 5})
            for (const std::int64_t m : {mr, mr + 1, 2 * mr + 3})
                for (const std::int64_t k : {31, 32, 33, 34, 35, 70, 150, 1030})
                    for (const std::int64_t kc : {64, 200, 2000})
                        add(m, n, k, kc, mr, nr);
        for (const std::int64_t cube : {8, 16, 32})
            for (const std::int64_t k : {cube - 1, cube, cube + 1, 3 * cube + 1})
                for (const std::int64_t kc : {cube, 4 * cube})
                    add(cube, cube, k, kc, mr, nr);
        for (std::int64_t m = 1; m <= std::min<std::int64_t>(mr, 10); ++m)
            for (const std::int64_t n : {1, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33})
                for (const std::int64_t k : {1, 2, 15, 16, 17, 32, 33, 64, 65})
                    add(m, n, k, k, mr, nr);
    }
    CHECK(count.refused == 0);
    CHECK(count.equal > 1500);
}

template <class T>
void random_candidates(const KernelInfo& kernel) {
    const auto sizes = tile_sizes(kernel);
    constexpr unsigned threads[] = {1, 1, 2, 2, 3, 7};
    constexpr double alphas[] = {1, 1, 1, -1, 0.3, 0}, betas[] = {0, 0, 1, -0.7};
    Count count;
    Random random(42);
    for (int i = 0; i < 12000; ++i) {
        const auto [mr, nr] = sizes[static_cast<std::size_t>(below(random, std::ssize(sizes)))];
        Product p;
        p.m = 1 + below(random, 2 * mr + 3);
        p.n = 1 + below(random, 2 * nr + 3);
        p.k = below(random, 16) == 0 ? below(random, 200) : below(random, 20);
        p.batch = 1 + below(random, 8) / 7;
        p.lie_a = every_lie[below(random, 5)];
        p.lie_b = every_lie[below(random, 5)];
        p.lie_c = every_lie[below(random, 5)];
        p.alpha = alphas[below(random, std::ssize(alphas))];
        p.beta = betas[below(random, std::ssize(betas))];
        p.infinite = below(random, 4) == 0;
        p.seed = random();
        p.candidate = {.mc = mr * (1 + below(random, 3)),
                       .nc = nr * (1 + below(random, 3)),
                       .kc = 1 + below(random, 24),
                       .mr = mr,
                       .nr = nr,
                       .packing = packings[below(random, 4)],
                       .loop_order = orders[below(random, 2)],
                       .microkernel_id = kernel.id};
        p.threads = threads[below(random, std::ssize(threads))];
        p.shares_b = below(random, 2) == 0;
        p.in_stripes = below(random, 2) == 0;
        p.all_rows = below(random, 2) == 0;
        p.all_columns = below(random, 2) == 0;
        count.add(compute<T>(p));
    }
    CHECK(count.equal >= 10000);
}

TEST_CASE_TEMPLATE("tails around tiles and blocks have the bits of the fused loop", T, double, float) {
    for (const KernelInfo* kernel : kernels_of(dtype<T>))
        tails<T>(*kernel);
}

TEST_CASE_TEMPLATE("every lie of the operands and every packing has the bits of the fused loop", T, double,
                   float) {
    for (const KernelInfo* kernel : kernels_of(dtype<T>))
        layouts<T>(*kernel);
}

TEST_CASE_TEMPLATE("few columns, small cubes and narrow short products have the bits of the fused loop", T,
                   double, float) {
    for (const KernelInfo* kernel : kernels_of(dtype<T>))
        selected_entries<T>(*kernel);
}

TEST_CASE_TEMPLATE("random candidates on 1, 2, 3 and 7 threads have the bits of the fused loop", T, double,
                   float) {
    for (const KernelInfo* kernel : kernels_of(dtype<T>))
        random_candidates<T>(*kernel);
}

} // namespace
} // namespace tune_gemm::test
