// What the wrong plugins share: everything but their fault. Each is a fixed 4x6 tile in double precision that
// says it is sequential with two roundings, takes A and B packed or by rows, and C by rows.
#pragma once
#include <tune_gemm/abi.h>

#include <cstdint>

namespace faulty {

/// The arguments as numbers, and what a right tile does with them.
struct Call {
    const tg_tile_args& args;
    const double* a = static_cast<const double*>(args.a);
    const double* b = static_cast<const double*>(args.b);
    double* c = static_cast<double*>(args.c);
    std::int64_t m = args.m, n = args.n, k = args.k;
    bool accumulate = (args.flags & TG_ACCUMULATE) != 0;

    explicit Call(const tg_tile_args* given) noexcept : args(*given) {}
    double a_at(std::int64_t i, std::int64_t l) const noexcept { return a[i * args.rs_a + l * args.cs_a]; }
    double b_at(std::int64_t l, std::int64_t j) const noexcept { return b[l * args.rs_b + j * args.cs_b]; }
    double& c_at(std::int64_t i, std::int64_t j) const noexcept { return c[i * args.rs_c + j * args.cs_c]; }
    double start(std::int64_t i, std::int64_t j) const noexcept { return accumulate ? c_at(i, j) : 0.0; }
    /// The entry as it should be, from terms first to last-1 on top of `sum`.
    double sum(std::int64_t i, std::int64_t j, double sum, std::int64_t first,
               std::int64_t last) const noexcept {
        for (std::int64_t l = first; l < last; ++l)
            sum += a_at(i, l) * b_at(l, j);
        return sum;
    }
    double entry(std::int64_t i, std::int64_t j) const noexcept { return sum(i, j, start(i, j), 0, k); }
    void multiply() const noexcept {
        for (std::int64_t i = 0; i < m; ++i)
            for (std::int64_t j = 0; j < n; ++j)
                c_at(i, j) = entry(i, j);
    }
};

inline constexpr std::uint32_t mr = 4, nr = 6;

constexpr tg_tile tile(tg_tile_run run) {
    tg_tile made{};
    made.struct_size = sizeof made;
    made.mr = mr, made.nr = nr;
    made.k_unroll = 4;
    made.access_a = TG_PACKED | TG_ROW_UNIT;
    made.access_b = TG_PACKED | TG_ROW_UNIT;
    made.access_c = TG_ROW_UNIT;
    made.run = run;
    return made;
}

constexpr tg_kernel kernel(const char* id, const tg_tile* const* tiles, const tg_gemm* gemm = nullptr) {
    tg_kernel made{};
    made.struct_size = sizeof made;
    made.microkernel_id = id;
    made.summary = "wrong on purpose";
    made.type_a = made.type_b = made.type_c = made.type_acc = TG_F64;
    made.order = TG_SEQUENTIAL;
    made.muladd = TG_TWO_ROUNDINGS;
    made.tiles = tiles;
    made.gemm = gemm;
    return made;
}

constexpr tg_plugin plugin(const char* name, const tg_kernel* const* kernels) {
    tg_plugin made{};
    made.magic = TG_MAGIC;
    made.struct_size = sizeof made;
    made.abi_major = TG_ABI_MAJOR;
    made.abi_minor = TG_ABI_MINOR;
    made.name = name;
    made.version = "1";
    made.vendor = "tests";
    made.license = "MIT";
    made.kernels = kernels;
    return made;
}

} // namespace faulty
