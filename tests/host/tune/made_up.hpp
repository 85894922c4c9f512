// Kernels that exist only as a description.
#pragma once
#include <tune_gemm/catalogue.hpp>

namespace tune_gemm::host::test {

inline KernelInfo kernel_with(TileInfo tile) {
    KernelInfo kernel;
    kernel.id = "some.kernel";
    kernel.loop_identity = "some file:0";
    tile.access_c = TG_ROW_UNIT | TG_COL_UNIT | TG_ANY;
    kernel.tiles = {tile};
    return kernel;
}

inline TileInfo fixed_tile(std::uint32_t mr, std::uint32_t nr) {
    TileInfo tile;
    tile.mr = mr;
    tile.nr = nr;
    tile.access_a = tile.access_b = TG_PACKED;
    return tile;
}

inline Catalogue catalogue_of(const KernelInfo& kernel) {
    Catalogue catalogue;
    catalogue.add(kernel);
    return catalogue;
}

} // namespace tune_gemm::host::test
