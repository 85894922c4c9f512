#include <tune_gemm/catalogue.hpp>
#include <tune_gemm/error.hpp>
#include <tune_gemm/plugin.hpp>

#include <fmt/format.h>

#include <initializer_list>

namespace tune_gemm {
namespace {

template <class T>
void run_portable(const tg_kernel*, const tg_tile_args* args) noexcept {
    plugin::portable_tile<T>(*args);
}

template <class T>
constinit const tg_tile portable = {
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
    .mc = 64,
    .nc = 64,
    .kc = 64,
    .run = run_portable<T>,
    .select = nullptr,
};
template <class T>
constinit const tg_tile* const tiles[] = {&portable<T>, nullptr};

template <class T>
constexpr tg_kernel portable_kernel(const char* id, std::uint32_t rank) {
    return {
        .struct_size = sizeof(tg_kernel),
        .flags = 0,
        .microkernel_id = id,
        .summary = "The portable loop, built into the library",
        .type_a = plugin::dtype_of<T>,
        .type_b = plugin::dtype_of<T>,
        .type_c = plugin::dtype_of<T>,
        .type_acc = plugin::dtype_of<T>,
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
constinit const tg_kernel scalar = portable_kernel<double>("scalar", 1);
constinit const tg_kernel scalar_f64 = portable_kernel<double>("scalar_f64", 0);
constinit const tg_kernel scalar_f32 = portable_kernel<float>("scalar_f32", 1);

Catalogue catalogue_of(std::initializer_list<const tg_kernel*> kernels, tg_dtype dtype) {
    Catalogue built;
    built.auto_class.dtype = dtype;
    for (const tg_kernel* kernel : kernels) {
        KernelInfo described = describe_kernel(kernel);
        described.loop_identity = fmt::format("built-in portable loop, {}", dtype_text(dtype));
        built.add(std::move(described));
    }
    return built;
}

} // namespace

const Catalogue& builtin_catalogue() {
    static const Catalogue catalogue = catalogue_of({&scalar, &scalar_f64}, TG_F64);
    return catalogue;
}

const Catalogue& builtin_catalogue(tg_dtype dtype) {
    static const Catalogue f32 = catalogue_of({&scalar_f32}, TG_F32);
    if (dtype == TG_F64)
        return builtin_catalogue();
    if (dtype == TG_F32)
        return f32;
    throw_bad_input(
        fmt::format("No kernel for {} is built in; there are some for f64 and f32.", dtype_text(dtype)));
}

} // namespace tune_gemm
