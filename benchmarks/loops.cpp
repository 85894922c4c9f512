#include "loops.hpp"

#include <tune_gemm/plugin.hpp>

#include <algorithm>

namespace tune_gemm::bench {
namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    plugin::portable_tile<double>(*args);
}

constinit const tg_tile any_tile = {
    .struct_size = sizeof(tg_tile),
    .mr = 0,
    .nr = 0,
    .max_mr = 64,
    .max_nr = 64,
    .kr = 1,
    .k_unroll = 1,
    .access_a = TG_PACKED | TG_ROW_UNIT | TG_COL_UNIT | TG_ANY,
    .access_b = TG_PACKED | TG_ROW_UNIT | TG_COL_UNIT | TG_ANY,
    .access_c = TG_ROW_UNIT | TG_COL_UNIT | TG_ANY,
    .align_packed = 0,
    .mc = 0,
    .nc = 0,
    .kc = 0,
    .run = run,
    .select = nullptr,
};
constinit const tg_tile* const tiles[] = {&any_tile, nullptr};
constinit const tg_kernel kernel = {
    .struct_size = sizeof(tg_kernel),
    .flags = 0,
    .microkernel_id = "bench",
    .summary = "The portable loop, compiled with the loops that it is compared with",
    .type_a = TG_F64,
    .type_b = TG_F64,
    .type_c = TG_F64,
    .type_acc = TG_F64,
    .order = TG_SEQUENTIAL,
    .muladd = TG_TWO_ROUNDINGS,
    .rank = 0,
    .reserved = 0,
    .cpu = nullptr,
    .tiles = tiles,
    .gemm = nullptr,
    .user = nullptr,
    .enter = nullptr,
    .leave = nullptr,
};

} // namespace

const tg_kernel* portable_kernel() {
    return &kernel;
}

void triple_loop(std::int64_t n, const double* a, const double* b, double* c) {
    for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
            double sum = 0;
            for (std::int64_t l = 0; l < n; ++l)
                sum += a[i * n + l] * b[l * n + j];
            c[i * n + j] = sum;
        }
    }
}

void triple_loop_by_rows(std::int64_t n, const double* a, const double* b, double* c) {
    std::fill(c, c + n * n, 0.0);
    for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t l = 0; l < n; ++l) {
            const double factor = a[i * n + l];
            for (std::int64_t j = 0; j < n; ++j)
                c[i * n + j] += factor * b[l * n + j];
        }
    }
}

} // namespace tune_gemm::bench
