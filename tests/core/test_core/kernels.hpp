// Kernel descriptions to begin from: sound ones, whose callbacks do nothing.
#pragma once
#include <tune_gemm/catalogue.hpp>

namespace tune_gemm::test {

inline void idle_run(const tg_kernel*, const tg_tile_args*) noexcept {}
inline tg_status idle_prepare(const tg_kernel*, const tg_problem*, void**, std::uint64_t*,
                              tg_error*) noexcept {
    return TG_UNSUPPORTED;
}
inline tg_status idle_multiply(const tg_kernel*, const void*, const tg_gemm_args*, tg_error*) noexcept {
    return TG_UNSUPPORTED;
}
inline void idle_release(const tg_kernel*, void*) noexcept {}
inline void idle_thread(const tg_kernel*) noexcept {}

/// A fixed tile of 4 x 6 that takes everything.
inline tg_tile fixed_tile(std::uint32_t mr = 4, std::uint32_t nr = 6) {
    return {.struct_size = sizeof(tg_tile),
            .mr = mr,
            .nr = nr,
            .max_mr = 0,
            .max_nr = 0,
            .kr = 1,
            .k_unroll = 1,
            .access_a = TG_PACKED | TG_ROW_UNIT | TG_COL_UNIT | TG_ANY,
            .access_b = TG_PACKED | TG_ROW_UNIT | TG_COL_UNIT | TG_ANY,
            .access_c = TG_ROW_UNIT | TG_COL_UNIT | TG_ANY,
            .align_packed = 0,
            .mc = 0,
            .nc = 0,
            .kc = 0,
            .run = idle_run,
            .select = nullptr};
}

inline tg_kernel tile_kernel(const char* id, const tg_tile* const* tiles) {
    return {.struct_size = sizeof(tg_kernel),
            .flags = 0,
            .microkernel_id = id,
            .summary = "A tile for tests",
            .type_a = TG_F64,
            .type_b = TG_F64,
            .type_c = TG_F64,
            .type_acc = TG_F64,
            .order = TG_SEQUENTIAL,
            .muladd = TG_FUSED,
            .rank = 7,
            .reserved = 0,
            .cpu = nullptr,
            .tiles = tiles,
            .gemm = nullptr,
            .user = nullptr,
            .enter = nullptr,
            .leave = nullptr};
}

inline constexpr tg_gemm idle_gemm{sizeof(tg_gemm), 1, idle_prepare, idle_multiply, idle_release};

inline tg_kernel gemm_kernel(const char* id, const tg_gemm* gemm = &idle_gemm) {
    tg_kernel kernel = tile_kernel(id, nullptr);
    kernel.gemm = gemm;
    kernel.order = TG_REORDERED;
    kernel.muladd = 0;
    return kernel;
}

} // namespace tune_gemm::test
