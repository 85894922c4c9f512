// What the plugin says of itself is what the rest of the program counts on.
#include "subject.hpp"

#include <doctest/doctest.h>

namespace tune_gemm::test {

TEST_CASE("one kernel each for f64 and f32, sequential and fused") {
    CHECK(subject().kernels().size() == 2);
    for (const tg_dtype type : {TG_F64, TG_F32}) {
        const auto kernels = kernels_of(type);
        REQUIRE(kernels.size() == 1);
        CHECK(kernels[0]->arithmetic == ArithmeticClass{type, TG_SEQUENTIAL, TG_FUSED});
        CHECK(kernels[0]->flags == 0);
        CHECK(kernels[0]->id.ends_with("_f32") == (type == TG_F32));
    }
}

TEST_CASE("every tile takes packed operands and C in place, and has a default blocking") {
    for (const KernelInfo& kernel : subject().kernels()) {
        for (const TileInfo& tile : kernel.tiles) {
            CHECK((tile.access_a & TG_PACKED) != 0);
            CHECK((tile.access_a & TG_ANY) != 0);
            CHECK((tile.access_b & TG_PACKED) != 0);
            CHECK((tile.access_b & TG_ROW_UNIT) != 0);
            CHECK((tile.access_c & TG_ROW_UNIT) != 0);
            CHECK(tile.mc > 0);
            CHECK(tile.nc > 0);
            CHECK(tile.kc > 0);
        }
    }
}

TEST_CASE("fast kernels have several tiles, and what one calls best is large") {
    for (const KernelInfo& kernel : subject().kernels()) {
        if (kernel.cpu.empty())
            continue;
        CHECK(kernel.tiles.size() >= 4);
        CHECK(kernel.tiles[0].mr * kernel.tiles[0].nr >= 48);
    }
}

} // namespace tune_gemm::test
