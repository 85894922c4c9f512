// OpenBLAS through cblas_dgemm and cblas_sgemm.
//
// What the library does to the process, and what is done about it:
// * Loading it starts a thread for each further processor, which spin for about 0.1 s before they sleep.
//   `start` ends them; they are started again when a plan with more than one thread runs, and spin after
//   such a run. With one thread nothing of it is left.
// * The number of threads is one global of the library, so a run sets it, and only one run may be under way.
// * It keeps the buffers that it packs into (tens of MiB, made at the first run) for the next run.
// * It registers handlers with pthread_atfork, which stop its threads. It leaves affinity (Debian builds it
//   without), signal handlers and the environment alone, but OPENBLAS_* variables choose what it does.
#include "whole_gemm.hpp"

#include "blas_call.hpp"
#include "narrow_core.hpp"

#include <cblas.h>
#include <dlfcn.h>

#include <cstring>

// Stops the threads of the pool; the next use starts them anew. Missing from builds without threads.
extern "C" [[gnu::weak]] int blas_thread_shutdown_(void);

namespace tune_gemm::baselines {
namespace {

constexpr const char* library = "OpenBLAS";

void set_threads(unsigned threads) noexcept {
    const auto wanted = static_cast<int>(threads);
    if (openblas_get_num_threads() == wanted)
        return;
    openblas_set_num_threads(wanted);
    if (wanted == 1 && blas_thread_shutdown_ != nullptr)
        blas_thread_shutdown_();
}

void gemm(CBLAS_ORDER order, CBLAS_TRANSPOSE transpose_a, CBLAS_TRANSPOSE transpose_b,
          const Request<double>& r, const BlasCall& call, const double* a, const double* b, double* c) {
    cblas_dgemm(order, transpose_a, transpose_b, static_cast<blasint>(r.m), static_cast<blasint>(r.n),
                static_cast<blasint>(r.k), r.alpha, a, static_cast<blasint>(call.lda), b,
                static_cast<blasint>(call.ldb), r.beta, c, static_cast<blasint>(call.ldc));
}
void gemm(CBLAS_ORDER order, CBLAS_TRANSPOSE transpose_a, CBLAS_TRANSPOSE transpose_b,
          const Request<float>& r, const BlasCall& call, const float* a, const float* b, float* c) {
    cblas_sgemm(order, transpose_a, transpose_b, static_cast<blasint>(r.m), static_cast<blasint>(r.n),
                static_cast<blasint>(r.k), r.alpha, a, static_cast<blasint>(call.lda), b,
                static_cast<blasint>(call.ldb), r.beta, c, static_cast<blasint>(call.ldc));
}

template <class T>
struct Product {
    using Element = T;
    static constexpr unsigned max_threads = 64; // more than that, Debian's build does not take

    tg_status prepare(const Request<T>& request, tg_error* error) noexcept {
        const tg_status status = make_blas_call(library, request, call, error);
        if (status != TG_OK || sizeof(blasint) > 4)
            return status;
        return require_32_bits(library, request, call, error);
    }

    tg_status run(const Request<T>& request, const Operands<T>& operands, tg_error*) const noexcept {
        set_threads(std::min(request.threads, max_threads));
        const auto order = call.by_rows ? CblasRowMajor : CblasColMajor;
        const auto transpose = [](bool yes) { return yes ? CblasTrans : CblasNoTrans; };
        each_matrix(request, operands, [&](const T* a, const T* b, T* c) {
            gemm(order, transpose(call.transpose_a), transpose(call.transpose_b), request, call, a, b, c);
        });
        return TG_OK;
    }

    BlasCall call;
};

constexpr tg_flags flags = TG_SERIAL_ONLY | TG_KEEP_LOADED | TG_OWN_MEMORY | TG_OWN_THREADS;
constexpr tg_kernel f64 = whole_kernel<Product<double>>("openblas", "OpenBLAS, cblas_dgemm", flags, 50);
constexpr tg_kernel f32 = whole_kernel<Product<float>>("openblas_f32", "OpenBLAS, cblas_sgemm", flags, 50);
constexpr const tg_kernel* kernels[] = {&f64, &f32, nullptr};

/// The file that a function of the library was found in.
const char* file_of(const void* function) noexcept {
    Dl_info info{};
    return dladdr(function, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "?";
}

/// Many libraries export cblas_dgemm; one that was preloaded would stand in for OpenBLAS unnoticed.
tg_status require_own(const char* name, const void* function, tg_error* error) noexcept {
    const char* own = file_of(reinterpret_cast<const void*>(&openblas_get_config));
    const char* found = file_of(function);
    if (std::strcmp(own, found) == 0)
        return TG_OK;
    return refuse(error, TG_UNSUPPORTED, "%s comes from %s, not from OpenBLAS in %s; start without it.", name,
                  found, own);
}

tg_status start(const tg_host* host, tg_error* error) noexcept {
    for (const auto& [name, function] :
         {std::pair{"cblas_dgemm", reinterpret_cast<const void*>(&cblas_dgemm)},
          std::pair{"cblas_sgemm", reinterpret_cast<const void*>(&cblas_sgemm)}})
        if (const tg_status status = require_own(name, function, error); status != TG_OK)
            return status;
    set_threads(1);
    log_openblas_core(host, openblas_get_config(), openblas_get_corename());
    return TG_OK;
}

} // namespace
} // namespace tune_gemm::baselines

constinit const tg_plugin tune_gemm_plugin_v1 = {
    .magic = TG_MAGIC,
    .struct_size = sizeof(tg_plugin),
    .abi_major = TG_ABI_MAJOR,
    .abi_minor = TG_ABI_MINOR,
    .name = "openblas",
    .version = "0.1.0",
    .vendor = "tune_gemm, wrapping OpenBLAS",
    .license = "MIT; OpenBLAS: BSD-3-Clause",
    .kernels = tune_gemm::baselines::kernels,
    .init = tune_gemm::baselines::start,
    .deinit = nullptr,
};
