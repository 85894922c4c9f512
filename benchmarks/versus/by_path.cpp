// A BLAS given by its path, as a kernel: the file that $TUNE_GEMM_BLAS names, called through dgemm_ and
// sgemm_.
//
// Every BLAS exports the Fortran names, and with them the least can go wrong: matrices by columns, arguments
// by address. Addresses of 64-bit integers do for libraries that count in 32 bits as well, since x86 and ARM
// keep the lower half first; the lengths of the two texts are handed over at the end, as Fortran compilers
// do.
//
// How many threads the library starts is told to it in the environment before it is loaded (OMP_NUM_THREADS,
// OPENBLAS_NUM_THREADS, ...), which is the caller's business; here nothing is set.
#include "whole_gemm.hpp"

#include "blas_call.hpp"

#include <dlfcn.h>

#include <bit>
#include <cstdlib>

namespace tune_gemm::baselines {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr const char* variable = "TUNE_GEMM_BLAS";

template <class T>
using Gemm = void (*)(const char* transpose_a, const char* transpose_b, const std::int64_t* m,
                      const std::int64_t* n, const std::int64_t* k, const T* alpha, const T* a,
                      const std::int64_t* lda, const T* b, const std::int64_t* ldb, const T* beta, T* c,
                      const std::int64_t* ldc, std::size_t length_a, std::size_t length_b);

/// Of the library; set once, by `start`.
template <class T>
Gemm<T> gemm = nullptr;

template <class T>
struct Product {
    using Element = T;
    static constexpr unsigned max_threads = 4096; // whatever the environment says

    tg_status prepare(const Request<T>& request, tg_error* error) noexcept {
        if (gemm<T> == nullptr)
            return refuse(error, TG_UNSUPPORTED, "The library has no %cgemm_.", sizeof(T) == 4 ? 's' : 'd');
        if (const tg_status status = make_blas_call("The BLAS", request, call, error); status != TG_OK)
            return status;
        return require_32_bits("The BLAS, perhaps,", request, call, error);
    }

    tg_status run(const Request<T>& request, const Operands<T>& operands, tg_error*) const noexcept {
        const auto text = [](bool transposed) { return transposed ? "T" : "N"; };
        // C by rows is C^T by columns: C^T = B^T * A^T.
        const bool turned = call.by_rows;
        const std::int64_t m = turned ? request.n : request.m, n = turned ? request.m : request.n;
        const std::int64_t ld_left = turned ? call.ldb : call.lda, ld_right = turned ? call.lda : call.ldb;
        const char* const left = text(turned ? call.transpose_b : call.transpose_a);
        const char* const right = text(turned ? call.transpose_a : call.transpose_b);
        each_matrix(request, operands, [&](const T* a, const T* b, T* c) {
            gemm<T>(left, right, &m, &n, &request.k, &request.alpha, turned ? b : a, &ld_left, turned ? a : b,
                    &ld_right, &request.beta, c, &call.ldc, 1, 1);
        });
        return TG_OK;
    }

    BlasCall call;
};

constexpr tg_flags flags = TG_SERIAL_ONLY | TG_KEEP_LOADED | TG_OWN_MEMORY | TG_OWN_THREADS;
constexpr tg_kernel f64 =
    whole_kernel<Product<double>>("by_path", "dgemm_ of a BLAS given by path", flags, 1);
constexpr tg_kernel f32 =
    whole_kernel<Product<float>>("by_path_f32", "sgemm_ of a BLAS given by path", flags, 1);
constexpr const tg_kernel* kernels[] = {&f64, &f32, nullptr};

tg_status start(const tg_host*, tg_error* error) noexcept {
    const char* const path = std::getenv(variable);
    if (path == nullptr || *path != '/')
        return refuse(error, TG_UNSUPPORTED, "%s does not hold the absolute path of a BLAS library.",
                      variable);
    void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        return refuse(error, TG_UNSUPPORTED, "%s", dlerror());
    gemm<double> = reinterpret_cast<Gemm<double>>(dlsym(library, "dgemm_"));
    gemm<float> = reinterpret_cast<Gemm<float>>(dlsym(library, "sgemm_"));
    if (gemm<double> == nullptr && gemm<float> == nullptr)
        return refuse(error, TG_UNSUPPORTED, "%s has neither dgemm_ nor sgemm_: no BLAS.", path);
    return TG_OK;
}

} // namespace
} // namespace tune_gemm::baselines

constinit const tg_plugin tune_gemm_plugin_v1 = {
    .magic = TG_MAGIC,
    .struct_size = sizeof(tg_plugin),
    .abi_major = TG_ABI_MAJOR,
    .abi_minor = TG_ABI_MINOR,
    .name = "by_path",
    .version = "0.1.0",
    .vendor = "tune_gemm, wrapping a library given by its path",
    .license = "MIT; the library: its own",
    .kernels = tune_gemm::baselines::kernels,
    .init = tune_gemm::baselines::start,
    .deinit = nullptr,
};
