// A plugin from outside the tree: a fixed 4 x 4 tile in the two-roundings class, built with the installed
// headers alone.
#include <tune_gemm/plugin.hpp>

namespace {

void run(const tg_kernel*, const tg_tile_args* args) noexcept {
    tune_gemm::plugin::portable_tile<double>(*args);
}

constinit const tg_tile tile = {
    .struct_size = sizeof(tg_tile),
    .mr = 4,
    .nr = 4,
    .max_mr = 0,
    .max_nr = 0,
    .kr = 1,
    .k_unroll = 1,
    .access_a = TG_PACKED | TG_ANY,
    .access_b = TG_PACKED | TG_ANY,
    .access_c = TG_ANY,
    .align_packed = 0,
    .mc = 64,
    .nc = 64,
    .kc = 64,
    .run = run,
    .select = nullptr,
};
constinit const tg_tile* const tiles[] = {&tile, nullptr};

constinit const tg_kernel kernel = {
    .struct_size = sizeof(tg_kernel),
    .flags = 0,
    .microkernel_id = "outside.plain4x4",
    .summary = "a plain 4 x 4 tile from outside the tree",
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
constinit const tg_kernel* const kernels[] = {&kernel, nullptr};

} // namespace

constinit const tg_plugin tune_gemm_plugin_v1 = {
    .magic = TG_MAGIC,
    .struct_size = sizeof(tg_plugin),
    .abi_major = TG_ABI_MAJOR,
    .abi_minor = TG_ABI_MINOR,
    .name = "outside",
    .version = "1",
    .vendor = "nobody",
    .license = "MIT",
    .kernels = kernels,
    .init = nullptr,
    .deinit = nullptr,
};
