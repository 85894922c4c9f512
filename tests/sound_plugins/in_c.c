/* A right plugin in C11, with the interface's header alone: a fixed tile for double and one for float. */
#include <tune_gemm/abi.h>

#define TILE(NAME, TYPE)                                                                                     \
    static void NAME(const tg_kernel* kernel, const tg_tile_args* args) {                                    \
        const TYPE *a = (const TYPE*)args->a, *b = (const TYPE*)args->b;                                     \
        TYPE* c = (TYPE*)args->c;                                                                            \
        (void)kernel;                                                                                        \
        for (int64_t i = 0; i < args->m; ++i)                                                                \
            for (int64_t j = 0; j < args->n; ++j) {                                                          \
                TYPE* entry = c + i * args->rs_c + j * args->cs_c;                                           \
                TYPE sum = (args->flags & TG_ACCUMULATE) != 0 ? *entry : (TYPE)0;                            \
                for (int64_t l = 0; l < args->k; ++l)                                                        \
                    sum += a[i * args->rs_a + l * args->cs_a] * b[l * args->rs_b + j * args->cs_b];          \
                *entry = sum;                                                                                \
            }                                                                                                \
    }

TILE(run_f64, double)
TILE(run_f32, float)

#define FORMS (TG_PACKED | TG_ROW_UNIT | TG_COL_UNIT | TG_ANY)

static const tg_tile tile_f64 = {.struct_size = sizeof(tg_tile),
                                 .mr = 2,
                                 .nr = 3,
                                 .access_a = FORMS,
                                 .access_b = FORMS,
                                 .access_c = TG_ROW_UNIT | TG_COL_UNIT | TG_ANY,
                                 .run = run_f64};
static const tg_tile tile_f32 = {.struct_size = sizeof(tg_tile),
                                 .mr = 5,
                                 .nr = 1,
                                 .access_a = FORMS,
                                 .access_b = FORMS,
                                 .access_c = TG_COL_UNIT,
                                 .run = run_f32};
static const tg_tile* const tiles_f64[] = {&tile_f64, 0};
static const tg_tile* const tiles_f32[] = {&tile_f32, 0};

static const tg_kernel kernel_f64 = {.struct_size = sizeof(tg_kernel),
                                     .microkernel_id = "sound.in_c",
                                     .type_a = TG_F64,
                                     .type_b = TG_F64,
                                     .type_c = TG_F64,
                                     .type_acc = TG_F64,
                                     .order = TG_SEQUENTIAL,
                                     .muladd = TG_TWO_ROUNDINGS,
                                     .tiles = tiles_f64};
static const tg_kernel kernel_f32 = {.struct_size = sizeof(tg_kernel),
                                     .microkernel_id = "sound.in_c_f32",
                                     .type_a = TG_F32,
                                     .type_b = TG_F32,
                                     .type_c = TG_F32,
                                     .type_acc = TG_F32,
                                     .order = TG_SEQUENTIAL,
                                     .muladd = TG_TWO_ROUNDINGS,
                                     .tiles = tiles_f32};
static const tg_kernel* const kernels[] = {&kernel_f64, &kernel_f32, 0};

TG_EXPORT const tg_plugin tune_gemm_plugin_v1 = {.magic = TG_MAGIC,
                                                 .struct_size = sizeof(tg_plugin),
                                                 .abi_major = TG_ABI_MAJOR,
                                                 .abi_minor = TG_ABI_MINOR,
                                                 .name = "sound_in_c",
                                                 .version = "1",
                                                 .vendor = "tests",
                                                 .license = "MIT",
                                                 .kernels = kernels};
