/* tune_gemm plugin interface (ABI), major version 1. C11 and C++20; needs <stdint.h> and nothing else.
 *
 * A plugin is one shared library that exports ONE constant object:
 *
 *     extern const tg_plugin tune_gemm_plugin_v1;
 *
 * It is data, constant-initialised: designated initialisers in C, `constinit` in C++. The major version
 * is part of the symbol's name, so whether a file is a plugin, and of which major version, is seen in its
 * symbol table without running any of its code.
 *
 * Words. A GEMM is C := alpha*A*B + beta*C with A of m x k, B of k x n and C of m x n. The host cuts it
 * into cache blocks of mc x nc x kc, and each block into register tiles of mr x nr. A micro-panel is a
 * packed strip of A that is mr rows high (or of B, nr columns wide), contiguous in the order in which a
 * tile reads it. Strides are counted in elements: rs between rows, cs between columns, bs between the
 * matrices of a batch.
 *
 * Growth. Within a major version a struct only gains fields at its end, and zero means "absent". Each
 * struct says its size in struct_size, written by whoever filled it in; a reader copies
 * min(struct_size, sizeof own) bytes into a zeroed local and never tests two sizes for equality; only a
 * struct smaller than in minor version 0 is refused, for none can be. Arrays that cross the boundary
 * are null-terminated arrays of POINTERS, so that elements may grow; no struct contains another by
 * value. A callback is always handed the plugin's own tg_kernel, never a copy. Reserved fields are zero.
 *
 * A reader goes on without what it does not know: a field appended to a description, one of the upper 16
 * bits of tg_flags. It does not use a kernel with a value that it does not know: a type, an order, one of the
 * lower 16 bits of tg_flags, a reserved field that is not zero. A field appended to an argument struct is a
 * hint, read only where struct_size says that it is there; a new flag of an argument struct is set only
 * for a kernel that has said, by a bit of tg_flags, that it knows it.
 *
 * Threads. [main]: called by one thread at a time. [any]: called by any thread, by several at once, as
 * long as the memory written is disjoint (unless TG_SERIAL_ONLY).
 *
 * Ownership. Everything that a plugin publishes lives as long as the library is loaded and does not
 * change. Everything that it is handed belongs to the host and is valid until the call returns.
 *
 * A plugin function never throws, exits, prints, or changes the floating-point environment, and keeps no
 * pointer that it was given; unless its flags say so it allocates nothing and starts no thread. It reads
 * and writes exactly the elements that its contract names: no over-read, not even within a cache line.
 * Operands are aligned to their element, no more, unless a field says so. C overlaps neither A nor B.
 *
 * Stack: a tile and `run` take at most 64 KiB, everything else (`prepare`, `select`, `init`, ...) 512 KiB.
 */
#ifndef TUNE_GEMM_ABI_H
#define TUNE_GEMM_ABI_H
#include <stdint.h>

#define TG_ABI_MAJOR 1u
#define TG_ABI_MINOR 0u
#define TG_MAGIC 0x4d474754u /* the bytes "TGGM" in memory, little-endian */
#define TG_SYMBOL "tune_gemm_plugin_v1"
/* With a major version behind it: a plugin, perhaps of another major version than ours. */
#define TG_SYMBOL_PREFIX "tune_gemm_plugin_v"

#ifdef __cplusplus
#define TG_NOEXCEPT noexcept /* part of the pointer type: a function that may throw does not compile */
extern "C" {
#else
#define TG_NOEXCEPT
#endif
#define TG_EXPORT __attribute__((visibility("default")))

typedef int32_t tg_status;
enum {
    TG_OK = 0,
    TG_UNSUPPORTED = 1,  /* a sound request that this kernel does not serve: the host tries another */
    TG_INVALID = 2,      /* the request itself contradicts the contract */
    TG_NO_WORKSPACE = 3, /* memory could not be had */
    TG_INTERNAL = 4      /* anything else */
};

/* Where a plugin explains a status other than TG_OK. Owned by the caller: `message` has room for
 * `message_size` bytes (at least 256) and holds "" before the call. The plugin writes one zero-terminated
 * sentence; nothing is to be freed. */
typedef struct tg_error {
    uint32_t struct_size, message_size;
    char* message;
} tg_error;

typedef uint32_t tg_dtype;
enum { TG_F32 = 1, TG_F64 = 2, TG_F16 = 3, TG_BF16 = 4, TG_I8 = 5, TG_U8 = 6, TG_I32 = 7 };

/* How each entry of C is summed. SEQUENTIAL: start from 0 (or from the C that was there), then add
 * l = 0, 1, .. k-1 in that order, so the result does not depend on any blocking, tile or thread count.
 * REORDERED: any order, held to the componentwise error bound. */
typedef uint32_t tg_order;
enum { TG_SEQUENTIAL = 1, TG_REORDERED = 2 };

/* TWO_ROUNDINGS: the product is rounded and then added. FUSED: one rounding (fma). 0: whatever the
 * instruction does, allowed for REORDERED only. */
typedef uint32_t tg_muladd;
enum { TG_TWO_ROUNDINGS = 1, TG_FUSED = 2 };

struct tg_kernel;

/* ---- kind 1: a register tile, inside the host's loops and packing ------------------------------- */

/* Forms in which a tile takes an operand. PACKED (A and B only): a micro-panel as the host packs it.
 * ROW_UNIT: in place, column stride 1. COL_UNIT: in place, row stride 1. ANY: in place, any strides.
 * A form of C that a tile lacks is staged by the host in the C part of the workspace. The host may also
 * compute C^T = B^T * A^T, so a tile that wants rows serves column-major C as well. */
typedef uint32_t tg_access;
enum { TG_PACKED = 1u << 0, TG_ROW_UNIT = 1u << 1, TG_COL_UNIT = 1u << 2, TG_ANY = 1u << 3 };

typedef uint32_t tg_tile_flags;
enum { TG_ACCUMULATE = 1u << 0 };

/* C[0:m,0:n] := (ACCUMULATE ? C[0:m,0:n] : 0) + A[0:m,0:k] * B[0:k,0:n].
 *
 * Without ACCUMULATE, C is written and never read; with k = 0 it becomes zeros (ACCUMULATE: stays). C has
 * the accumulator's type; the host converts. alpha and beta are the host's: alpha goes into B as it is
 * packed, beta onto C before the first k block.
 *
 * Packed A: element (i,l) is a[(l/kr)*cs_a*kr + i*kr + l%kr], where cs_a = mr (or the width of a narrower
 * last panel of a free tile) and k is padded with zeros to a multiple of kr. For kr = 1 that is simply
 * rs_a = 1, cs_a = mr. Packed B likewise with j for i and rs_b = nr, cs_b = 1. In a packed panel of a
 * fixed tile the rows (columns) past m (n) are there and zero, and may be read. */
typedef struct tg_tile_args {
    uint32_t struct_size;
    tg_tile_flags flags;
    int64_t m, n, k;   /* 1 <= m <= mr, 1 <= n <= nr, k >= 0 */
    const void *a, *b; /* in place: element (i,l) is a[i*rs_a + l*cs_a], (l,j) is b[l*rs_b + j*cs_b] */
    void* c;           /* element (i,j) is c[i*rs_c + j*cs_c] */
    int64_t rs_a, cs_a, rs_b, cs_b, rs_c, cs_c; /* in elements */
    const void *next_a, *next_b, *next_c; /* where the next tile's begin: for prefetching, may be null */
} tg_tile_args;

/* [any] The host fills the arguments once for a sweep and between calls changes only pointers, m, n, and
 * for the narrower last panel of a free tile its packed stride. */
typedef void (*tg_tile_run)(const struct tg_kernel*, const tg_tile_args*) TG_NOEXCEPT;

/* Limits: mr, nr, max_mr, max_nr and align_packed 4096; kr 64; k_unroll 65536; mc, nc, kc 2^24. Where not 0,
 * mc is a multiple of mr, nc of nr, kc of kr. */
typedef struct tg_tile {
    uint32_t struct_size;
    uint32_t mr, nr;         /* both > 0: a fixed tile. Both 0: free, any up to max_mr, max_nr */
    uint32_t max_mr, max_nr; /* of a free tile; 0 for a fixed one */
    uint32_t kr;             /* interleaving of packed k: 0 or 1 none, 2 for bf16 pairs, 4 for int8 */
    uint32_t k_unroll;       /* tells the tail tests where k remainders lie; 0 or 1: none */
    tg_access access_a, access_b, access_c;
    uint32_t align_packed; /* of each packed block's first panel, bytes, a power of two; 0: element size */
    uint32_t mc, nc, kc;   /* a good default blocking; 0: the host chooses */
    tg_tile_run run;
    /* [any] optional: an entry specialised for calls like `typical` (its strides, flags, m, n), or null.
     * Same results as run. The place for variants with fixed sizes, and for generated code. */
    tg_tile_run (*select)(const struct tg_kernel*, const tg_tile_args* typical) TG_NOEXCEPT;
} tg_tile;

/* ---- kind 2: a whole product, with blocking of its own (wrappers of other libraries, JIT, ...) ---- */

/* For every matrix of the batch, C := alpha*A*B + beta*C. A transpose is a stride. */
typedef struct tg_problem {
    uint32_t struct_size;
    uint32_t threads; /* at most this many, the caller's included; >= 1 */
    int64_t m, n, k, batch;
    int64_t rs_a, cs_a, bs_a, rs_b, cs_b, bs_b, rs_c, cs_c, bs_c;
    const void *alpha, *beta; /* of type_acc. beta = 0: C is not read. alpha = 0 or k = 0: A, B are not */
} tg_problem;

typedef struct tg_gemm_args {
    uint32_t struct_size, reserved;
    const void *a, *b;
    void *c, *workspace; /* workspace: exactly the bytes asked for, aligned to 64; null when 0 were */
} tg_gemm_args;

typedef struct tg_gemm {
    uint32_t struct_size;
    uint32_t max_threads; /* of one run; 0 or 1: serial */
    /* [any] Refuses with a status and a sentence, or makes a plan (may allocate, may generate code),
     * stores it in *plan and says in *workspace_bytes what run needs. alpha and beta are copied. */
    tg_status (*prepare)(const struct tg_kernel*, const tg_problem*, void** plan, uint64_t* workspace_bytes,
                         tg_error*) TG_NOEXCEPT;
    /* [any] One product by the plan. A plan may be run by several threads at once, each with a workspace
     * and a C of its own. */
    tg_status (*run)(const struct tg_kernel*, const void* plan, const tg_gemm_args*, tg_error*) TG_NOEXCEPT;
    /* [any] Called once for each plan that prepare made. */
    void (*release)(const struct tg_kernel*, void* plan) TG_NOEXCEPT;
} tg_gemm;

/* ---- a kernel, and the library that holds it ----------------------------------------------------- */

/* The lower 16 bits ask something of the host, which does not use a kernel that asks for what it does not
 * know; the upper 16 offer something, which a host may pass over. */
typedef uint32_t tg_flags;
#define TG_OFFERS 0xffff0000u
enum {
    TG_SERIAL_ONLY = 1u << 0, /* run must not be entered by two threads at once */
    TG_KEEP_LOADED = 1u << 1, /* owns threads or globals: never unload the library */
    TG_OWN_MEMORY = 1u << 2,  /* run allocates beyond the workspace (kind 2): measured and shown */
    TG_OWN_THREADS = 1u << 3  /* starts threads of its own (kind 2): measured and shown */
};

typedef struct tg_kernel {
    uint32_t struct_size;
    tg_flags flags;
    const char* microkernel_id; /* [a-z0-9_.]{1,64}; the same id always means the same arithmetic */
    const char* summary;        /* one line of printable ASCII, at most 200 bytes, or null */
    tg_dtype type_a, type_b, type_c, type_acc;
    tg_order order;
    tg_muladd muladd;
    uint32_t rank; /* how `auto` orders usable kernels of a class before tuning; higher first */
    uint32_t reserved;
    const char* const* cpu;      /* "avx2", "fma", ..., null; at most 64. Resolved against CPUID and XCR0 */
    const tg_tile* const* tiles; /* kind 1: null-terminated, best first, at most 64 } exactly one of */
    const tg_gemm* gemm;         /* kind 2                                          } the two is set */
    const void* user;            /* the plugin's own; the host does not look at it */
    /* [any] optional: called on a thread before its first and after its last tile (tile configuration) */
    void (*enter)(const struct tg_kernel*) TG_NOEXCEPT;
    void (*leave)(const struct tg_kernel*) TG_NOEXCEPT;
} tg_kernel;

/* What the host offers to a plugin; valid from init to deinit. */
typedef struct tg_host {
    uint32_t struct_size, abi_minor;
    void (*log)(const char* line) TG_NOEXCEPT; /* [any] a line for the record; "warning: ..." is shown */
} tg_host;

/* Begins with the magic number: check it before struct_size. */
typedef struct tg_plugin {
    uint32_t magic, struct_size, abi_major, abi_minor;
    const char *name, *version, *vendor, *license;            /* one line each, at most 200 bytes */
    const tg_kernel* const* kernels;                          /* null-terminated, at most 256 */
    tg_status (*init)(const tg_host*, tg_error*) TG_NOEXCEPT; /* [main] may be null */
    void (*deinit)(void) TG_NOEXCEPT; /* [main] may be null; after a successful init */
} tg_plugin;

TG_EXPORT extern const tg_plugin tune_gemm_plugin_v1;

#ifdef __cplusplus
}
#endif
#endif
