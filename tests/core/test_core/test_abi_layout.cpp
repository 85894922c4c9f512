// The sizes and offsets of minor version 0 on x86-64. A plugin built years ago relies on every one of them: a
// line here never changes, and a field is only ever added behind the last.
#include <tune_gemm/abi.h>

#include <doctest/doctest.h>

#include <cstddef>
#include <type_traits>

#if defined(__x86_64__) && defined(__LP64__)

#define CHECK_FIELD(structure, field, offset, size)                                                          \
    CHECK(offsetof(structure, field) == (offset));                                                           \
    CHECK(sizeof(structure::field) == (size))

TEST_CASE("layout of the structs that hold a call") {
    CHECK(sizeof(tg_error) == 16);
    CHECK_FIELD(tg_error, struct_size, 0, 4);
    CHECK_FIELD(tg_error, message_size, 4, 4);
    CHECK_FIELD(tg_error, message, 8, 8);

    CHECK(sizeof(tg_tile_args) == 128);
    CHECK_FIELD(tg_tile_args, struct_size, 0, 4);
    CHECK_FIELD(tg_tile_args, flags, 4, 4);
    CHECK_FIELD(tg_tile_args, m, 8, 8);
    CHECK_FIELD(tg_tile_args, n, 16, 8);
    CHECK_FIELD(tg_tile_args, k, 24, 8);
    CHECK_FIELD(tg_tile_args, a, 32, 8);
    CHECK_FIELD(tg_tile_args, b, 40, 8);
    CHECK_FIELD(tg_tile_args, c, 48, 8);
    CHECK_FIELD(tg_tile_args, rs_a, 56, 8);
    CHECK_FIELD(tg_tile_args, cs_a, 64, 8);
    CHECK_FIELD(tg_tile_args, rs_b, 72, 8);
    CHECK_FIELD(tg_tile_args, cs_b, 80, 8);
    CHECK_FIELD(tg_tile_args, rs_c, 88, 8);
    CHECK_FIELD(tg_tile_args, cs_c, 96, 8);
    CHECK_FIELD(tg_tile_args, next_a, 104, 8);
    CHECK_FIELD(tg_tile_args, next_b, 112, 8);
    CHECK_FIELD(tg_tile_args, next_c, 120, 8);

    CHECK(sizeof(tg_problem) == 128);
    CHECK_FIELD(tg_problem, struct_size, 0, 4);
    CHECK_FIELD(tg_problem, threads, 4, 4);
    CHECK_FIELD(tg_problem, m, 8, 8);
    CHECK_FIELD(tg_problem, n, 16, 8);
    CHECK_FIELD(tg_problem, k, 24, 8);
    CHECK_FIELD(tg_problem, batch, 32, 8);
    CHECK_FIELD(tg_problem, rs_a, 40, 8);
    CHECK_FIELD(tg_problem, cs_a, 48, 8);
    CHECK_FIELD(tg_problem, bs_a, 56, 8);
    CHECK_FIELD(tg_problem, rs_b, 64, 8);
    CHECK_FIELD(tg_problem, cs_b, 72, 8);
    CHECK_FIELD(tg_problem, bs_b, 80, 8);
    CHECK_FIELD(tg_problem, rs_c, 88, 8);
    CHECK_FIELD(tg_problem, cs_c, 96, 8);
    CHECK_FIELD(tg_problem, bs_c, 104, 8);
    CHECK_FIELD(tg_problem, alpha, 112, 8);
    CHECK_FIELD(tg_problem, beta, 120, 8);

    CHECK(sizeof(tg_gemm_args) == 40);
    CHECK_FIELD(tg_gemm_args, struct_size, 0, 4);
    CHECK_FIELD(tg_gemm_args, reserved, 4, 4);
    CHECK_FIELD(tg_gemm_args, a, 8, 8);
    CHECK_FIELD(tg_gemm_args, b, 16, 8);
    CHECK_FIELD(tg_gemm_args, c, 24, 8);
    CHECK_FIELD(tg_gemm_args, workspace, 32, 8);
}

TEST_CASE("layout of the structs that a plugin publishes") {
    CHECK(sizeof(tg_tile) == 72);
    CHECK_FIELD(tg_tile, struct_size, 0, 4);
    CHECK_FIELD(tg_tile, mr, 4, 4);
    CHECK_FIELD(tg_tile, nr, 8, 4);
    CHECK_FIELD(tg_tile, max_mr, 12, 4);
    CHECK_FIELD(tg_tile, max_nr, 16, 4);
    CHECK_FIELD(tg_tile, kr, 20, 4);
    CHECK_FIELD(tg_tile, k_unroll, 24, 4);
    CHECK_FIELD(tg_tile, access_a, 28, 4);
    CHECK_FIELD(tg_tile, access_b, 32, 4);
    CHECK_FIELD(tg_tile, access_c, 36, 4);
    CHECK_FIELD(tg_tile, align_packed, 40, 4);
    CHECK_FIELD(tg_tile, mc, 44, 4);
    CHECK_FIELD(tg_tile, nc, 48, 4);
    CHECK_FIELD(tg_tile, kc, 52, 4);
    CHECK_FIELD(tg_tile, run, 56, 8);
    CHECK_FIELD(tg_tile, select, 64, 8);

    CHECK(sizeof(tg_gemm) == 32);
    CHECK_FIELD(tg_gemm, struct_size, 0, 4);
    CHECK_FIELD(tg_gemm, max_threads, 4, 4);
    CHECK_FIELD(tg_gemm, prepare, 8, 8);
    CHECK_FIELD(tg_gemm, run, 16, 8);
    CHECK_FIELD(tg_gemm, release, 24, 8);

    CHECK(sizeof(tg_kernel) == 104);
    CHECK_FIELD(tg_kernel, struct_size, 0, 4);
    CHECK_FIELD(tg_kernel, flags, 4, 4);
    CHECK_FIELD(tg_kernel, microkernel_id, 8, 8);
    CHECK_FIELD(tg_kernel, summary, 16, 8);
    CHECK_FIELD(tg_kernel, type_a, 24, 4);
    CHECK_FIELD(tg_kernel, type_b, 28, 4);
    CHECK_FIELD(tg_kernel, type_c, 32, 4);
    CHECK_FIELD(tg_kernel, type_acc, 36, 4);
    CHECK_FIELD(tg_kernel, order, 40, 4);
    CHECK_FIELD(tg_kernel, muladd, 44, 4);
    CHECK_FIELD(tg_kernel, rank, 48, 4);
    CHECK_FIELD(tg_kernel, reserved, 52, 4);
    CHECK_FIELD(tg_kernel, cpu, 56, 8);
    CHECK_FIELD(tg_kernel, tiles, 64, 8);
    CHECK_FIELD(tg_kernel, gemm, 72, 8);
    CHECK_FIELD(tg_kernel, user, 80, 8);
    CHECK_FIELD(tg_kernel, enter, 88, 8);
    CHECK_FIELD(tg_kernel, leave, 96, 8);

    CHECK(sizeof(tg_plugin) == 72);
    CHECK_FIELD(tg_plugin, magic, 0, 4);
    CHECK_FIELD(tg_plugin, struct_size, 4, 4);
    CHECK_FIELD(tg_plugin, abi_major, 8, 4);
    CHECK_FIELD(tg_plugin, abi_minor, 12, 4);
    CHECK_FIELD(tg_plugin, name, 16, 8);
    CHECK_FIELD(tg_plugin, version, 24, 8);
    CHECK_FIELD(tg_plugin, vendor, 32, 8);
    CHECK_FIELD(tg_plugin, license, 40, 8);
    CHECK_FIELD(tg_plugin, kernels, 48, 8);
    CHECK_FIELD(tg_plugin, init, 56, 8);
    CHECK_FIELD(tg_plugin, deinit, 64, 8);

    CHECK(sizeof(tg_host) == 16);
    CHECK_FIELD(tg_host, struct_size, 0, 4);
    CHECK_FIELD(tg_host, abi_minor, 4, 4);
    CHECK_FIELD(tg_host, log, 8, 8);
}

TEST_CASE("numbers of the interface") {
    CHECK(TG_MAGIC == 0x4d474754u);
    CHECK(TG_ABI_MAJOR == 1);
    CHECK((TG_OK == 0 && TG_UNSUPPORTED == 1 && TG_INVALID == 2 && TG_NO_WORKSPACE == 3 && TG_INTERNAL == 4));
    CHECK((TG_F32 == 1 && TG_F64 == 2 && TG_F16 == 3 && TG_BF16 == 4 && TG_I8 == 5 && TG_U8 == 6 &&
           TG_I32 == 7));
    CHECK((TG_SEQUENTIAL == 1 && TG_REORDERED == 2 && TG_TWO_ROUNDINGS == 1 && TG_FUSED == 2));
    CHECK((TG_PACKED == 1 && TG_ROW_UNIT == 2 && TG_COL_UNIT == 4 && TG_ANY == 8 && TG_ACCUMULATE == 1));
    CHECK((TG_SERIAL_ONLY == 1 && TG_KEEP_LOADED == 2 && TG_OWN_MEMORY == 4 && TG_OWN_THREADS == 8));
}

TEST_CASE("a callback that may throw is no callback") {
    using Throwing = void (*)(const tg_kernel*, const tg_tile_args*);
    CHECK_FALSE(std::is_convertible_v<Throwing, tg_tile_run>);
    CHECK(std::is_convertible_v<tg_tile_run, Throwing>);
}

#endif
