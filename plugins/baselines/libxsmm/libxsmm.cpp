// libxsmm through kernels that it generates for one product each (JIT): dispatched in `prepare`, called in
// `run`. Nothing else of it is used: a request that its generator does not serve (alpha other than 1, beta
// other than 0 and 1, A lying across C) is refused. Its own fallback would call another BLAS, and a detour
// written here would be timed as if it were libxsmm.
//
// Linked statically, without a BLAS (libxsmmnoblas). What the library does to the process: see
// quiet_start.hpp. Code once generated stays until the process ends; unloading would run its exit handler,
// which closes file descriptor 0 in version 1.17.
#include "whole_gemm.hpp"

#include "blas_call.hpp"
#include "quiet_start.hpp"

#include <libxsmm.h>

namespace tune_gemm::baselines {
namespace {

constexpr const char* library = "libxsmm";

template <class T>
struct Generated;
template <>
struct Generated<double> {
    using Function = libxsmm_dmmfunction;
    static constexpr auto dispatch = libxsmm_dmmdispatch;
};
template <>
struct Generated<float> {
    using Function = libxsmm_smmfunction;
    static constexpr auto dispatch = libxsmm_smmdispatch;
};

/// The generated code steps through operands by constants of 32 bits with a sign, counted in bytes.
template <class T>
bool steps_fit(std::int64_t leading, std::int64_t lines) noexcept {
    constexpr std::int64_t most = INT32_MAX / static_cast<std::int64_t>(sizeof(T));
    return leading <= most && (leading == 0 || lines <= most / leading);
}

/// The generated code leaves the upper halves of vector registers in use, which slows down older code after
/// it.
void clear_upper_halves() noexcept {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx") != 0)
        asm volatile("vzeroupper" ::: "memory");
#endif
}

template <class T>
struct Product {
    using Element = T;
    static constexpr unsigned max_threads = 1;

    tg_status prepare(const Request<T>& r, tg_error* error) {
        if (r.alpha != T(1))
            return refuse(error, TG_UNSUPPORTED, "libxsmm generates code for alpha = 1 only, not %g.",
                          static_cast<double>(r.alpha));
        if (r.beta != T(0) && r.beta != T(1))
            return refuse(error, TG_UNSUPPORTED, "libxsmm generates code for beta = 0 and 1 only, not %g.",
                          static_cast<double>(r.beta));
        // libxsmm knows columns only, and its first factor must lie as C does.
        BlasCall call;
        for (const bool prefer_rows : {false, true}) {
            if (const tg_status status = make_blas_call(library, r, call, error, prefer_rows);
                status != TG_OK)
                return status;
            by_rows = call.by_rows;
            if (!(by_rows ? call.transpose_b : call.transpose_a))
                return generate(r, call, error);
        }
        return refuse(error, TG_UNSUPPORTED, "libxsmm generates code for %s; here %s.",
                      by_rows ? "a C by rows when B lies by rows, too" : "a C by columns when A does, too",
                      by_rows ? "B lies by columns" : "A lies by rows");
    }

    tg_status run(const Request<T>& request, const Operands<T>& operands, tg_error*) const noexcept {
        each_matrix(request, operands,
                    [&](const T* a, const T* b, T* c) { by_rows ? function(b, a, c) : function(a, b, c); });
        clear_upper_halves();
        return TG_OK;
    }

  private:
    tg_status generate(const Request<T>& r, const BlasCall& call, tg_error* error) noexcept {
        const std::int64_t m = by_rows ? r.n : r.m, n = by_rows ? r.m : r.n;
        const std::int64_t first = by_rows ? call.ldb : call.lda, second = by_rows ? call.lda : call.ldb;
        const bool transpose = by_rows ? call.transpose_a : call.transpose_b;
        if (!steps_fit<T>(1, std::max(m, n)) || !steps_fit<T>(first, r.k) ||
            !steps_fit<T>(second, transpose ? r.k : n) || !steps_fit<T>(call.ldc, n))
            return refuse(error, TG_UNSUPPORTED,
                          "libxsmm generates code for operands of less than 2 GiB each, gaps between lines "
                          "counted; this product is larger.");
        using Integer = libxsmm_blasint;
        const auto lda = static_cast<Integer>(first), ldb = static_cast<Integer>(second),
                   ldc = static_cast<Integer>(call.ldc);
        const int flags = transpose ? LIBXSMM_GEMM_FLAG_TRANS_B : LIBXSMM_GEMM_FLAG_NONE;
        const int prefetch = LIBXSMM_GEMM_PREFETCH_NONE; // else the function takes further addresses
        function = Generated<T>::dispatch(static_cast<Integer>(m), static_cast<Integer>(n),
                                          static_cast<Integer>(r.k), &lda, &ldb, &ldc, &r.alpha, &r.beta,
                                          &flags, &prefetch);
        if (function == nullptr)
            return refuse(
                error, TG_UNSUPPORTED,
                "libxsmm generated no code for %lld x %lld x %lld: the processor is too old, or its "
                "table of kernels is full.",
                static_cast<long long>(m), static_cast<long long>(n), static_cast<long long>(r.k));
        return TG_OK;
    }

    bool by_rows = false;
    typename Generated<T>::Function function = nullptr;
};

constexpr tg_kernel f64 =
    whole_kernel<Product<double>>("libxsmm", "libxsmm, generated code", TG_KEEP_LOADED, 20);
constexpr tg_kernel f32 =
    whole_kernel<Product<float>>("libxsmm_f32", "libxsmm, generated code", TG_KEEP_LOADED, 20);
constexpr const tg_kernel* kernels[] = {&f64, &f32, nullptr};

tg_status start(const tg_host* host, tg_error*) noexcept {
    start_libxsmm_quietly();
    if (host != nullptr && host->log != nullptr) {
        char line[256];
        std::snprintf(line, sizeof line, "libxsmm %s; generates code for %.40s", LIBXSMM_VERSION,
                      libxsmm_get_target_arch());
        host->log(line);
    }
    return TG_OK;
}

} // namespace
} // namespace tune_gemm::baselines

constinit const tg_plugin tune_gemm_plugin_v1 = {
    .magic = TG_MAGIC,
    .struct_size = sizeof(tg_plugin),
    .abi_major = TG_ABI_MAJOR,
    .abi_minor = TG_ABI_MINOR,
    .name = "libxsmm",
    .version = "0.1.0",
    .vendor = "tune_gemm, wrapping libxsmm",
    .license = "MIT; libxsmm: BSD-3-Clause",
    .kernels = tune_gemm::baselines::kernels,
    .init = tune_gemm::baselines::start,
    .deinit = nullptr,
};
