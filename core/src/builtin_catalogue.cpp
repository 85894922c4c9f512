#include <tune_gemm/catalogue.hpp>
#include <tune_gemm/plugin.hpp>

namespace tune_gemm {
namespace {

void run_portable(const tg_kernel*, const tg_tile_args* args) noexcept {
    plugin::portable_tile<double>(*args);
}

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
    .run = run_portable,
    .select = nullptr,
};
constinit const tg_tile* const tiles[] = {&portable, nullptr};

constexpr tg_kernel portable_kernel(const char* id, std::uint32_t rank) {
    return {
        .struct_size = sizeof(tg_kernel),
        .flags = 0,
        .microkernel_id = id,
        .summary = "The portable loop, built into the library",
        .type_a = TG_F64,
        .type_b = TG_F64,
        .type_c = TG_F64,
        .type_acc = TG_F64,
        .order = TG_SEQUENTIAL,
        .muladd = TG_TWO_ROUNDINGS,
        .rank = rank,
        .reserved = 0,
        .cpu = nullptr,
        .tiles = tiles,
        .gemm = nullptr,
        .user = nullptr,
        .enter = nullptr,
        .leave = nullptr,
    };
}
constinit const tg_kernel scalar = portable_kernel("scalar", 1);
constinit const tg_kernel scalar_f64 = portable_kernel("scalar_f64", 0);

} // namespace

const Catalogue& builtin_catalogue() {
    static const Catalogue catalogue = [] {
        Catalogue built;
        for (const tg_kernel* kernel : {&scalar, &scalar_f64}) {
            KernelInfo described = describe_kernel(kernel);
            described.loop_identity = "built-in portable loop";
            built.add(std::move(described));
        }
        return built;
    }();
    return catalogue;
}

} // namespace tune_gemm
