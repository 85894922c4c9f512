// Right kernels of unusual make, which must raise nothing: tiny, odd and long tiles, interleaved and aligned
// packing, in-place only, packed only, column-major only, a select of its own, fused, and single precision.
#include <tune_gemm/abi.h>

#include <cmath>
#include <cstdint>

namespace {

/// Any strides, and packed panels with any kr: the position of (i, l) follows abi.h.
template <class T, std::uint32_t kr, bool fused>
void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    const T* a = static_cast<const T*>(args->a);
    const T* b = static_cast<const T*>(args->b);
    T* c = static_cast<T*>(args->c);
    for (std::int64_t i = 0; i < args->m; ++i) {
        for (std::int64_t j = 0; j < args->n; ++j) {
            T* entry = c + i * args->rs_c + j * args->cs_c;
            T sum = (args->flags & TG_ACCUMULATE) != 0 ? *entry : T(0);
            for (std::int64_t l = 0; l < args->k; ++l) {
                const T x = kr == 1 ? a[i * args->rs_a + l * args->cs_a]
                                    : a[l / kr * args->cs_a * kr + i * std::int64_t{kr} + l % kr];
                const T y = kr == 1 ? b[l * args->rs_b + j * args->cs_b]
                                    : b[l / kr * args->rs_b * kr + j * std::int64_t{kr} + l % kr];
                if constexpr (fused)
                    sum = std::fma(x, y, sum);
                else
                    sum += x * y;
            }
            *entry = sum;
        }
    }
}

tg_tile_run select(const tg_kernel*, const tg_tile_args* typical) noexcept {
    return typical->m > 2 ? &run<double, 1, false> : nullptr;
}

constexpr tg_access anything = TG_PACKED | TG_ROW_UNIT | TG_COL_UNIT | TG_ANY;
constexpr tg_access in_place = TG_ROW_UNIT | TG_COL_UNIT | TG_ANY;

constexpr tg_tile tile(std::uint32_t mr, std::uint32_t nr, tg_access a, tg_access b, tg_access c,
                       tg_tile_run run) {
    tg_tile made{};
    made.struct_size = sizeof made;
    made.mr = mr, made.nr = nr;
    made.access_a = a, made.access_b = b, made.access_c = c;
    made.run = run;
    return made;
}
constexpr tg_tile interleaved(tg_tile made, std::uint32_t kr, std::uint32_t alignment) {
    made.kr = kr;
    made.k_unroll = kr;
    made.align_packed = alignment;
    return made;
}
constexpr tg_tile selecting(tg_tile made) {
    made.select = select;
    return made;
}

constinit const tg_tile one = tile(1, 1, anything, anything, in_place, run<double, 1, false>);
constinit const tg_tile odd = tile(3, 5, in_place, in_place, in_place, run<double, 1, false>);
constinit const tg_tile narrow = tile(31, 2, TG_COL_UNIT, TG_ROW_UNIT, TG_COL_UNIT, run<double, 1, false>);
constinit const tg_tile packed =
    interleaved(tile(8, 6, TG_PACKED, TG_PACKED, TG_ROW_UNIT, run<double, 2, false>), 2, 64);
constinit const tg_tile choosy =
    selecting(tile(4, 4, TG_PACKED | TG_ROW_UNIT, TG_PACKED, TG_ROW_UNIT, run<double, 1, false>));
constinit const tg_tile fused_tile =
    tile(4, 6, TG_PACKED, TG_PACKED | TG_ROW_UNIT, TG_ROW_UNIT, run<double, 1, true>);
constinit const tg_tile single = tile(4, 8, anything, anything, in_place, run<float, 1, false>);

constinit const tg_tile* const tiles[] = {&one, &odd, &narrow, &packed, &choosy, nullptr};
constinit const tg_tile* const fused_tiles[] = {&fused_tile, nullptr};
constinit const tg_tile* const single_tiles[] = {&single, nullptr};

constexpr tg_kernel kernel(const char* id, const tg_tile* const* tiles, tg_dtype type, tg_order order,
                           tg_muladd muladd) {
    tg_kernel made{};
    made.struct_size = sizeof made;
    made.microkernel_id = id;
    made.type_a = made.type_b = made.type_c = made.type_acc = type;
    made.order = order;
    made.muladd = muladd;
    made.tiles = tiles;
    return made;
}
constinit const tg_kernel plain = kernel("sound.tiles", tiles, TG_F64, TG_SEQUENTIAL, TG_TWO_ROUNDINGS);
constinit const tg_kernel fused_kernel = kernel("sound.fused", fused_tiles, TG_F64, TG_SEQUENTIAL, TG_FUSED);
constinit const tg_kernel single_kernel =
    kernel("sound.single", single_tiles, TG_F32, TG_SEQUENTIAL, TG_TWO_ROUNDINGS);
// What is in order and rounded once is well within the bound, too.
constinit const tg_kernel reordered = kernel("sound.reordered", fused_tiles, TG_F64, TG_REORDERED, 0);
constinit const tg_kernel* const kernels[] = {&plain, &fused_kernel, &single_kernel, &reordered, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = {.magic = TG_MAGIC,
                                                 .struct_size = sizeof(tg_plugin),
                                                 .abi_major = TG_ABI_MAJOR,
                                                 .abi_minor = TG_ABI_MINOR,
                                                 .name = "sound_tiles",
                                                 .version = "1",
                                                 .vendor = "tests",
                                                 .license = "MIT",
                                                 .kernels = kernels,
                                                 .init = nullptr,
                                                 .deinit = nullptr};
