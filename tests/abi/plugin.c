/* One plugin, written against the header that ABI_HEADER names: as the author of a 1.0 plugin did, or as one
 * who knows what the grown header adds, uses it where it is there, and does without where it is not. PREFIX
 * begins its ids. */
#include ABI_HEADER

#include <stddef.h>
#include <stdlib.h>

/* Whether the struct that was handed over goes as far as the field. */
#define HAS(arguments, field)                                                                                \
    ((arguments)->struct_size >= offsetof(__typeof__(*(arguments)), field) + sizeof((arguments)->field))

static void run(const tg_kernel* kernel, const tg_tile_args* args) {
    const double *a = args->a, *b = args->b;
    double* c = args->c;
    (void)kernel;
#ifdef TG_GROWN
    if (HAS(args, grown) && args->grown != 0)
        abort(); /* zero means absent, and no host of this test sets it */
#endif
    for (int64_t i = 0; i < args->m; ++i)
        for (int64_t j = 0; j < args->n; ++j) {
            double* entry = c + i * args->rs_c + j * args->cs_c;
            double sum = (args->flags & TG_ACCUMULATE) != 0 ? *entry : 0.0;
            for (int64_t l = 0; l < args->k; ++l)
                sum += a[i * args->rs_a + l * args->cs_a] * b[l * args->rs_b + j * args->cs_b];
            *entry = sum;
        }
}

typedef struct plan {
    tg_problem problem;
    double alpha, beta;
} plan;

static tg_status refuse(tg_status status, tg_error* error, const char* sentence) {
    uint32_t at = 0;
    for (; sentence[at] != 0 && at + 1 < error->message_size; ++at)
        error->message[at] = sentence[at];
    error->message[at] = 0;
    return status;
}

static tg_status prepare(const tg_kernel* kernel, const tg_problem* given, void** made,
                         uint64_t* workspace_bytes, tg_error* error) {
    (void)kernel;
    if (given->struct_size < offsetof(tg_problem, beta) + sizeof given->beta || given->threads == 0 ||
        given->m < 0 || given->n < 0 || given->k < 0 || given->batch < 0 || !given->alpha || !given->beta)
        return refuse(TG_INVALID, error, "The request contradicts the contract.");
#ifdef TG_GROWN
    if (HAS(given, grown) && given->grown == 1)
        return refuse(TG_UNSUPPORTED, error, "This problem is not served.");
#endif
    plan* planned = malloc(sizeof *planned);
    if (!planned)
        return refuse(TG_NO_WORKSPACE, error, "There is no memory for a plan.");
    const size_t known = given->struct_size < sizeof *given ? given->struct_size : sizeof *given;
    planned->problem = (tg_problem){0};
    __builtin_memcpy(&planned->problem, given, known);
    planned->alpha = *(const double*)given->alpha;
    planned->beta = *(const double*)given->beta;
    *made = planned;
    *workspace_bytes = 0;
    return TG_OK;
}

static tg_status multiply(const tg_kernel* kernel, const void* planned, const tg_gemm_args* args,
                          tg_error* error) {
    const plan* own = planned;
    const tg_problem* p = &own->problem;
    (void)kernel, (void)error;
    for (int64_t t = 0; t < p->batch; ++t)
        for (int64_t i = 0; i < p->m; ++i)
            for (int64_t j = 0; j < p->n; ++j) {
                double* entry = (double*)args->c + t * p->bs_c + i * p->rs_c + j * p->cs_c;
                double sum = own->beta == 0 ? 0.0 : own->beta * *entry;
                for (int64_t l = 0; own->alpha != 0 && l < p->k; ++l)
                    sum += ((const double*)args->a)[t * p->bs_a + i * p->rs_a + l * p->cs_a] *
                           (own->alpha * ((const double*)args->b)[t * p->bs_b + l * p->rs_b + j * p->cs_b]);
                *entry = sum;
            }
    return TG_OK;
}

static void release(const tg_kernel* kernel, void* planned) {
    (void)kernel;
    free(planned);
}

#ifdef TG_GROWN
static const char* describe(const tg_kernel* kernel) {
    return kernel->microkernel_id;
}
#define NEW_FORM | TG_GROWN_FORM
#else
#define NEW_FORM
#endif

static const tg_tile tile = {.struct_size = sizeof(tg_tile),
#ifdef TG_GROWN
                             .grown = run,
#endif
                             .mr = 4,
                             .nr = 6,
                             .access_a = (TG_PACKED | TG_ROW_UNIT) NEW_FORM,
                             .access_b = (TG_PACKED | TG_ROW_UNIT) NEW_FORM,
                             .access_c = TG_ROW_UNIT NEW_FORM,
                             .run = run};
static const tg_tile* const tiles[] = {&tile, NULL};
static const tg_gemm gemm = {.struct_size = sizeof(tg_gemm),
#ifdef TG_GROWN
                             .grown = 1,
#endif
                             .prepare = prepare,
                             .run = multiply,
                             .release = release};

#define COMMON                                                                                               \
    .struct_size = sizeof(tg_kernel), .type_a = TG_F64, .type_b = TG_F64, .type_c = TG_F64,                  \
    .order = TG_SEQUENTIAL, .muladd = TG_TWO_ROUNDINGS
static const tg_kernel of_tiles = {COMMON,
                                   .microkernel_id = PREFIX ".tile",
                                   .type_acc = TG_F64,
#ifdef TG_GROWN
                                   .flags = TG_GROWN_OFFER,
                                   .grown = describe,
#endif
                                   .tiles = tiles};
static const tg_kernel of_products = {COMMON,
                                      .microkernel_id = PREFIX ".gemm",
                                      .type_acc = TG_F64,
#ifdef TG_GROWN
                                      .flags = TG_GROWN_OFFER,
                                      .grown = describe,
#endif
                                      .gemm = &gemm};
#ifdef TG_GROWN
/* What an older host cannot do without knowing it. */
static const tg_tile new_form_only = {.struct_size = sizeof(tg_tile),
                                      .mr = 4,
                                      .nr = 6,
                                      .access_a = TG_GROWN_FORM,
                                      .access_b = TG_PACKED,
                                      .access_c = TG_ROW_UNIT,
                                      .run = run};
static const tg_tile* const new_tiles[] = {&new_form_only, NULL};
static const tg_kernel demanding = {COMMON, .microkernel_id = PREFIX ".demand", .type_acc = TG_F64,
                                    .flags = TG_GROWN_DEMAND, .tiles = tiles};
static const tg_kernel of_new_type = {COMMON, .microkernel_id = PREFIX ".type", .type_acc = TG_GROWN_TYPE,
                                      .tiles = tiles};
static const tg_kernel of_new_form = {COMMON, .microkernel_id = PREFIX ".form", .type_acc = TG_F64,
                                      .tiles = new_tiles};
static const tg_kernel of_new_kind = {COMMON, .microkernel_id = PREFIX ".kind", .type_acc = TG_F64};
#endif

static const tg_kernel* const kernels[] = {&of_tiles,  &of_products,
#ifdef TG_GROWN
                                           &demanding, &of_new_type, &of_new_form, &of_new_kind,
#endif
                                           NULL};

/* A host says what it is; what it does not offer is not called. */
static tg_status init(const tg_host* host, tg_error* error) {
    if (host->struct_size < offsetof(tg_host, log) + sizeof host->log)
        return refuse(TG_INVALID, error, "The host is older than 1.0.");
#ifdef TG_GROWN
    if (HAS(host, grown) != (host->abi_minor >= TG_ABI_MINOR))
        return refuse(TG_INVALID, error, "The host's size and minor version contradict each other.");
#endif
    host->log(PREFIX " is there");
    return TG_OK;
}

TG_EXPORT const tg_plugin tune_gemm_plugin_v1 = {.magic = TG_MAGIC,
                                                 .struct_size = sizeof(tg_plugin),
                                                 .abi_major = TG_ABI_MAJOR,
                                                 .abi_minor = TG_ABI_MINOR,
#ifdef TG_GROWN
                                                 .grown = 1,
#endif
                                                 .name = PREFIX,
                                                 .version = "1",
                                                 .vendor = "tests",
                                                 .license = "MIT",
                                                 .kernels = kernels,
                                                 .init = init};
