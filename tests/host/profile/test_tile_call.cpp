// A tile called alone: whatever its forms, what it computes is looked at before it is timed.
#include "measure/tile_call.hpp"

#include <doctest/doctest.h>

#include <tune_gemm/plugin.hpp>

#include <cstdint>
#include <string>
#include <vector>

using namespace tune_gemm;
using namespace tune_gemm::host;

namespace {

using Element = double;
std::int64_t kr = 1;     ///< of the tile under test
bool skips_last = false; ///< a mistake: the last step of k is left out

/// A tile that takes packed panels of any kr, and strides.
void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const auto* const a = static_cast<const Element*>(args->a);
    const auto* const b = static_cast<const Element*>(args->b);
    auto* const c = static_cast<Element*>(args->c);
    for (std::int64_t i = 0; i < args->m; ++i) {
        for (std::int64_t j = 0; j < args->n; ++j) {
            Element& entry = c[i * args->rs_c + j * args->cs_c];
            Element sum = (args->flags & TG_ACCUMULATE) != 0 ? entry : 0;
            for (std::int64_t l = 0; l < args->k - (skips_last ? 1 : 0); ++l)
                sum += kr > 1 ? a[l / kr * args->cs_a * kr + i * kr + l % kr] *
                                    b[l / kr * args->rs_b * kr + j * kr + l % kr]
                              : a[i * args->rs_a + l * args->cs_a] * b[l * args->rs_b + j * args->cs_b];
            entry = sum;
        }
    }
}

std::string judged(tg_access access_a, tg_access access_b, tg_access access_c, bool accumulate) {
    const tg_tile tile{.struct_size = sizeof(tg_tile),
                       .mr = 3,
                       .nr = 5,
                       .max_mr = 0,
                       .max_nr = 0,
                       .kr = static_cast<std::uint32_t>(kr),
                       .k_unroll = 1,
                       .access_a = access_a,
                       .access_b = access_b,
                       .access_c = access_c,
                       .align_packed = 128,
                       .mc = 0,
                       .nc = 0,
                       .kc = 0,
                       .run = run,
                       .select = nullptr};
    KernelInfo kernel;
    TileInfo info;
    info.mr = 3, info.nr = 5, info.kr = tile.kr, info.access_a = access_a, info.access_b = access_b;
    info.access_c = access_c, info.align_packed = 128, info.tile = &tile;
    TileCall call(kernel, info, 3, 5, 9, accumulate);
    CHECK(call.name() == "3x5");
    CHECK(call.flop() == 2 * 3 * 5 * 9);
    const std::string wrong = call.judge();
    call(); // on zeros
    return wrong;
}

} // namespace

TEST_CASE("packed or in place, added to or written, a sound tile is found sound") {
    for (const std::int64_t one_kr : {1, 4}) {
        kr = one_kr;
        for (const bool accumulate : {false, true})
            for (const tg_access access_c : {TG_ROW_UNIT, TG_COL_UNIT, TG_ANY})
                CHECK(judged(TG_PACKED, TG_PACKED, access_c, accumulate).empty());
    }
    kr = 1;
    for (const tg_access access : {TG_ROW_UNIT, TG_COL_UNIT, TG_ANY})
        CHECK(judged(access, access, TG_ANY, true).empty());
}

TEST_CASE("a tile that is wrong is said to be, with the entry") {
    kr = 1, skips_last = true;
    const std::string wrong = judged(TG_PACKED, TG_PACKED, TG_ANY, false);
    skips_last = false;
    CHECK(wrong.find("C[0,0] of a tile alone, k = 9, is ") == 0);
}

TEST_CASE("panels and tile stay within three quarters of the nearest cache") {
    CHECK(depth_within(48 << 10, 6, 8, 8) == 256);
    CHECK(depth_within(32 << 10, 6, 8, 8) == 216);
    CHECK(depth_within(1 << 10, 64, 64, 8) == 1);
    for (const std::int64_t m : {1, 6, 12, 64})
        CHECK((m + 24) * depth_within(32 << 10, m, 24, 8) * 8 + m * 24 * 8 <= (24 << 10));
}
