// From a call to its patch.
#include "dispatch.hpp"

#include "columns.hpp"

namespace tune_gemm::avx512 {
namespace {

constinit const simd::Column f64_columns[] = {f64_1.entry, f64_2.entry, f64_3.entry, f64_4.entry,
                                              f64_5.entry, f64_6.entry, f64_7.entry, f64_8.entry};
constinit const simd::Column f32_columns[] = {f32_1.entry, f32_2.entry, f32_3.entry, f32_4.entry,
                                              f32_5.entry, f32_6.entry, f32_7.entry, f32_8.entry};

} // namespace

void run_f64(const tg_kernel* kernel, const tg_tile_args* args) noexcept {
    simd::find_patch<8>(f64_columns, *args)(kernel, args);
}
tg_tile_run select_f64(const tg_kernel*, const tg_tile_args* typical) noexcept {
    return simd::find_patch<8>(f64_columns, *typical);
}
void run_f32(const tg_kernel* kernel, const tg_tile_args* args) noexcept {
    simd::find_patch<16>(f32_columns, *args)(kernel, args);
}
tg_tile_run select_f32(const tg_kernel*, const tg_tile_args* typical) noexcept {
    return simd::find_patch<16>(f32_columns, *typical);
}

} // namespace tune_gemm::avx512
