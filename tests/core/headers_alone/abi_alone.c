/* abi.h, first and alone, in C: it compiles, and a plugin can be written with it. */
#include <tune_gemm/abi.h>

static void run(const struct tg_kernel* kernel, const tg_tile_args* args) {
    (void)kernel;
    (void)args;
}
static const tg_tile tile = {.struct_size = sizeof(tg_tile),
                             .mr = 1,
                             .nr = 1,
                             .access_a = TG_ANY,
                             .access_b = TG_ANY,
                             .access_c = TG_ANY,
                             .run = run};
static const tg_tile* const tiles[] = {&tile, 0};
static const tg_kernel kernel = {.struct_size = sizeof(tg_kernel),
                                 .microkernel_id = "c",
                                 .type_a = TG_F64,
                                 .type_b = TG_F64,
                                 .type_c = TG_F64,
                                 .type_acc = TG_F64,
                                 .order = TG_SEQUENTIAL,
                                 .muladd = TG_TWO_ROUNDINGS,
                                 .tiles = tiles};
static const tg_kernel* const kernels[] = {&kernel, 0};
const tg_plugin tune_gemm_plugin_v1 = {.magic = TG_MAGIC,
                                       .struct_size = sizeof(tg_plugin),
                                       .abi_major = TG_ABI_MAJOR,
                                       .abi_minor = TG_ABI_MINOR,
                                       .name = "alone",
                                       .kernels = kernels};

_Static_assert(sizeof(tg_status) == 4 && sizeof(tg_dtype) == 4, "fixed widths");
