// The default plugin: the portable loop, for every processor, tile size and layout.
//
// It fixes the arithmetic that everything else is compared with: each entry of C is summed in increasing l,
// products rounded, then sums rounded. Build with -ffp-contract=off and without fast-math.
#include <tune_gemm/plugin.hpp>

namespace {

template <class T>
void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    tune_gemm::plugin::portable_tile<T>(*args);
}

template <class T>
constinit const tg_tile any_tile = {
    .struct_size = sizeof(tg_tile),
    .mr = 0, // free: any register tile up to the maximum
    .nr = 0,
    .max_mr = 64,
    .max_nr = 64,
    .kr = 1,
    .k_unroll = 1,
    .access_a = TG_PACKED | TG_ROW_UNIT | TG_COL_UNIT | TG_ANY,
    .access_b = TG_PACKED | TG_ROW_UNIT | TG_COL_UNIT | TG_ANY,
    .access_c = TG_ROW_UNIT | TG_COL_UNIT | TG_ANY,
    .align_packed = 0,
    .mc = 128,
    .nc = 128,
    .kc = 64,
    .run = run<T>,
    .select = nullptr,
};
template <class T>
constinit const tg_tile* const tiles[] = {&any_tile<T>, nullptr};

template <class T>
constexpr tg_kernel named(const char* id, const char* summary, std::uint32_t rank) {
    return {
        .struct_size = sizeof(tg_kernel),
        .flags = 0,
        .microkernel_id = id,
        .summary = summary,
        .type_a = tune_gemm::plugin::dtype_of<T>,
        .type_b = tune_gemm::plugin::dtype_of<T>,
        .type_c = tune_gemm::plugin::dtype_of<T>,
        .type_acc = tune_gemm::plugin::dtype_of<T>,
        .order = TG_SEQUENTIAL,
        .muladd = TG_TWO_ROUNDINGS,
        .rank = rank,
        .reserved = 0,
        .cpu = nullptr,
        .tiles = tiles<T>,
        .gemm = nullptr,
        .user = nullptr,
        .enter = nullptr,
        .leave = nullptr,
    };
}
constexpr const char* f64 = "Portable loop, f64, sums in increasing k with two roundings";
constexpr const char* f32 = "Portable loop, f32, sums in increasing k with two roundings";
// For f64 one loop under two names; the rank decides which of them `auto` means.
constinit const tg_kernel scalar = named<double>("scalar", f64, 1);
constinit const tg_kernel scalar_f64 = named<double>("scalar_f64", f64, 0);
constinit const tg_kernel scalar_f32 = named<float>("scalar_f32", f32, 1);
constinit const tg_kernel* const kernels[] = {&scalar, &scalar_f64, &scalar_f32, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = {
    .magic = TG_MAGIC,
    .struct_size = sizeof(tg_plugin),
    .abi_major = TG_ABI_MAJOR,
    .abi_minor = TG_ABI_MINOR,
    .name = "scalar",
    .version = "0.1.0",
    .vendor = "tune_gemm",
    .license = "MIT",
    .kernels = kernels,
    .init = nullptr,
    .deinit = nullptr,
};
