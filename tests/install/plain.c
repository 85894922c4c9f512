/* The same in C11, with a tile of 3 x 5. */
#include <tune_gemm/abi.h>

static void run(const tg_kernel* kernel, const tg_tile_args* args) {
    const double *a = args->a, *b = args->b;
    double* c = args->c;
    (void)kernel;
    for (int64_t i = 0; i < args->m; ++i)
        for (int64_t j = 0; j < args->n; ++j) {
            double* out = &c[i * args->rs_c + j * args->cs_c];
            double sum = (args->flags & TG_ACCUMULATE) ? *out : 0.0;
            for (int64_t l = 0; l < args->k; ++l)
                sum += a[i * args->rs_a + l * args->cs_a] * b[l * args->rs_b + j * args->cs_b];
            *out = sum;
        }
}

static const tg_tile tile = {.struct_size = sizeof(tg_tile),
                             .mr = 3,
                             .nr = 5,
                             .access_a = TG_PACKED,
                             .access_b = TG_PACKED,
                             .access_c = TG_ROW_UNIT,
                             .run = run};
static const tg_tile* const tiles[] = {&tile, 0};
static const tg_kernel kernel = {.struct_size = sizeof(tg_kernel),
                                 .microkernel_id = "outside.c3x5",
                                 .summary = "a plain 3 x 5 tile in C",
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
                                       .name = "outside_c",
                                       .version = "1",
                                       .vendor = "nobody",
                                       .license = "MIT",
                                       .kernels = kernels};
