// A plugin for the tuner to survive: one kernel never returns, one is right until it is timed,
// three are wrong only at a corner, where both rows and columns are short of a whole tile.
#include "faulty.hpp"

namespace {

void hang(const tg_kernel*, const tg_tile_args*) noexcept {
    for (volatile bool for_ever = true; for_ever;) {
    }
}

/// Right for as many calls as validating a small shape takes; then it writes nothing, very fast.
void tire(const tg_kernel*, const tg_tile_args* args) noexcept {
    static std::int64_t calls = 0;
    if (++calls < 200)
        faulty::Call(args).multiply();
}

/// Wrong on m rows and n columns, right on all else.
template <std::int64_t m, std::int64_t n>
void slip(const tg_kernel*, const tg_tile_args* args) noexcept {
    const faulty::Call call(args);
    call.multiply();
    if (call.m == m && call.n == n)
        call.c_at(m - 1, n - 1) += 1;
}

constinit const tg_tile hanging = faulty::tile(hang), tiring = faulty::tile(tire);
constinit const tg_tile slipping_by_1 = faulty::tile(slip<faulty::mr - 1, faulty::nr - 1>),
                        slipping_by_3 = faulty::tile(slip<faulty::mr - 3, faulty::nr - 3>),
                        slipping_past = faulty::tile(slip<1, 1>);
constinit const tg_tile* const tiles_by_1[] = {&slipping_by_1, nullptr};
constinit const tg_tile* const tiles_by_3[] = {&slipping_by_3, nullptr};
constinit const tg_tile* const tiles_past[] = {&slipping_past, nullptr};
constinit const tg_kernel slips_by_1 = faulty::kernel("misbehaving.slips_by_1", tiles_by_1),
                          slips_by_3 = faulty::kernel("misbehaving.slips_by_3", tiles_by_3),
                          slips_past = faulty::kernel("misbehaving.slips_past", tiles_past);
constinit const tg_tile* const hanging_tiles[] = {&hanging, nullptr};
constinit const tg_tile* const tiring_tiles[] = {&tiring, nullptr};
constinit const tg_kernel hangs = faulty::kernel("misbehaving.hangs", hanging_tiles);
constinit const tg_kernel tires = faulty::kernel("misbehaving.tires", tiring_tiles);
constinit const tg_kernel* const kernels[] = {&hangs, &tires, &slips_by_1, &slips_by_3, &slips_past, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = faulty::plugin("misbehaving", kernels);
