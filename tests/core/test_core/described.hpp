// Descriptions to spoil.
#pragma once
#include "kernels.hpp"

namespace tune_gemm::test {

/// One kernel with one tile, sound until a test changes it.
struct Described {
    tg_tile tile = test::fixed_tile();
    const tg_tile* tiles[2] = {&tile, nullptr};
    tg_gemm gemm = test::idle_gemm;
    const char* features[3] = {"avx2", "fma", nullptr};
    tg_kernel kernel = test::tile_kernel("test.tile", tiles);
};

} // namespace tune_gemm::test
