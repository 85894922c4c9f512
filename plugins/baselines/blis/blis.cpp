// BLIS through its own typed interface, bli_dgemm_ex and bli_sgemm_ex: strides of either sign, 64-bit
// extents, the number of threads per call. (Its BLAS interface has the names of other libraries' functions.)
//
// What the library does to the process: its OpenMP build brings libgomp, whose threads are started by the
// first run with more than one thread and stay, one pool for each calling thread; with one thread none are
// started. It keeps the buffers that it packs into. A wrong argument makes it print and abort, so strides
// are judged here. BLIS_* variables choose what it does; it sets none, nor affinity, nor signal handlers.
#include "whole_gemm.hpp"

#include "narrow_core.hpp"

#include <blis.h>

#include <cstdlib>
#include <limits>
#include <optional>

namespace tune_gemm::baselines {
namespace {

/// Strides of rows x columns elements that BLIS takes: neither 0, and the lines of one direction side by
/// side. A stride that is never taken is set to one that fits. Nothing when BLIS would abort, and with a
/// stride of -1: it looks at the magnitude, and its kernels for small products then go the other way.
std::optional<Strides> blis_strides(std::int64_t rows, std::int64_t columns, Strides s) noexcept {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    if (s.row == -most - 1 || s.column == -most - 1)
        return std::nullopt;
    const auto beside = [](std::int64_t line, std::int64_t length, std::int64_t step) {
        return length <= line / step; // line >= length * step
    };
    if (rows <= 1 && columns <= 1)
        return Strides{1, 1, s.batch};
    if (rows <= 1 || columns <= 1) {
        const std::int64_t length = std::max(rows, columns), step = rows <= 1 ? s.column : s.row;
        if (step == 0 || step == -1 || !beside(most, length, std::abs(step)))
            return std::nullopt;
        (rows <= 1 ? s.row : s.column) = length * std::abs(step);
        return s;
    }
    const std::int64_t row = std::abs(s.row), column = std::abs(s.column);
    if (row == 0 || column == 0 || s.row == -1 || s.column == -1)
        return std::nullopt;
    return (row < column ? beside(column, rows, row) : beside(row, columns, column)) ? std::optional(s)
                                                                                     : std::nullopt;
}

void gemm(const Request<double>& r, const Strides& sa, const double* a, const Strides& sb, const double* b,
          const Strides& sc, double* c, rntm_t* runtime) {
    double alpha = r.alpha, beta = r.beta;
    bli_dgemm_ex(BLIS_NO_TRANSPOSE, BLIS_NO_TRANSPOSE, r.m, r.n, r.k, &alpha, const_cast<double*>(a), sa.row,
                 sa.column, const_cast<double*>(b), sb.row, sb.column, &beta, c, sc.row, sc.column, nullptr,
                 runtime);
}
void gemm(const Request<float>& r, const Strides& sa, const float* a, const Strides& sb, const float* b,
          const Strides& sc, float* c, rntm_t* runtime) {
    float alpha = r.alpha, beta = r.beta;
    bli_sgemm_ex(BLIS_NO_TRANSPOSE, BLIS_NO_TRANSPOSE, r.m, r.n, r.k, &alpha, const_cast<float*>(a), sa.row,
                 sa.column, const_cast<float*>(b), sb.row, sb.column, &beta, c, sc.row, sc.column, nullptr,
                 runtime);
}

template <class T>
struct Product {
    using Element = T;
    static constexpr unsigned max_threads = 1024;

    tg_status prepare(const Request<T>& r, tg_error* error) noexcept {
        static_assert(sizeof(dim_t) == 8, "BLIS is expected with 64-bit extents");
        const auto take = [&](char operand, std::int64_t rows, std::int64_t columns, const Strides& given,
                              Strides& taken) {
            const auto strides = blis_strides(rows, columns, given);
            if (!strides)
                return refuse(
                    error, TG_UNSUPPORTED,
                    "BLIS takes no %c (%lld x %lld) with row stride %lld and column stride %lld: one "
                    "is 0 or -1, or lines overlap.",
                    operand, static_cast<long long>(rows), static_cast<long long>(columns),
                    static_cast<long long>(given.row), static_cast<long long>(given.column));
            taken = *strides;
            return tg_status{TG_OK};
        };
        if (const tg_status status = take('A', r.m, r.k, r.a, a); status != TG_OK)
            return status;
        if (const tg_status status = take('B', r.k, r.n, r.b, b); status != TG_OK)
            return status;
        return take('C', r.m, r.n, r.c, c);
    }

    tg_status run(const Request<T>& request, const Operands<T>& operands, tg_error*) const noexcept {
        each_matrix(request, operands, [&](const T* first_a, const T* first_b, T* first_c) {
            rntm_t runtime; // changed by the call
            bli_rntm_init(&runtime);
            bli_rntm_set_num_threads(static_cast<dim_t>(std::min(request.threads, max_threads)), &runtime);
            gemm(request, a, first_a, b, first_b, c, first_c, &runtime);
        });
        return TG_OK;
    }

    Strides a, b, c;
};

constexpr tg_flags flags = TG_KEEP_LOADED | TG_OWN_MEMORY | TG_OWN_THREADS;
constexpr tg_kernel f64 = whole_kernel<Product<double>>("blis", "BLIS, bli_dgemm", flags, 40);
constexpr tg_kernel f32 = whole_kernel<Product<float>>("blis_f32", "BLIS, bli_sgemm", flags, 40);
constexpr const tg_kernel* kernels[] = {&f64, &f32, nullptr};

/// BLIS initialises itself at its first use: here rather than inside a measurement.
tg_status start(const tg_host* host, tg_error*) noexcept {
    bli_init();
    char library[64];
    std::snprintf(library, sizeof library, "BLIS %.40s", bli_info_get_version_str());
    const char* const core = bli_arch_string(bli_arch_query_id());
    log_core(
        host, library, core, unused_by(core, {"skx", "knl"}, {"haswell", "zen", "zen2", "zen3"}),
        "BLIS_ARCH_TYPE, for instance to skx on an Intel processor with AVX-512 or to zen3 on one of AMD,");
    return TG_OK;
}

} // namespace
} // namespace tune_gemm::baselines

constinit const tg_plugin tune_gemm_plugin_v1 = {
    .magic = TG_MAGIC,
    .struct_size = sizeof(tg_plugin),
    .abi_major = TG_ABI_MAJOR,
    .abi_minor = TG_ABI_MINOR,
    .name = "blis",
    .version = "0.1.0",
    .vendor = "tune_gemm, wrapping BLIS",
    .license = "MIT; BLIS: BSD-3-Clause",
    .kernels = tune_gemm::baselines::kernels,
    .init = tune_gemm::baselines::start,
    .deinit = nullptr,
};
