// A BLAS given by its path, as a kernel: the file that $TUNE_GEMM_BLAS names, called through dgemm_ and
// sgemm_, or where it lacks them through cblas_dgemm and cblas_sgemm.
//
// Matrices go by columns. With the Fortran names the least can go wrong: arguments by address. Addresses of
// 64-bit integers do for libraries that count in 32 bits as well, since x86 and ARM keep the lower half
// first, and so do 64-bit integers handed over by value; the lengths of the two texts are handed over at the
// end, as Fortran compilers do.
//
// How many threads the library starts is told to it in the environment before it is loaded (OMP_NUM_THREADS,
// OPENBLAS_NUM_THREADS, ...), which is the caller's business; here nothing is set.
#include "whole_gemm.hpp"

#include "blas_call.hpp"
#include "narrow_core.hpp"

#include <dlfcn.h>

#include <bit>
#include <cstdlib>

namespace tune_gemm::baselines {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr const char* variable = "TUNE_GEMM_BLAS";

template <class T>
using FortranGemm = void (*)(const char* transpose_a, const char* transpose_b, const std::int64_t* m,
                             const std::int64_t* n, const std::int64_t* k, const T* alpha, const T* a,
                             const std::int64_t* lda, const T* b, const std::int64_t* ldb, const T* beta,
                             T* c, const std::int64_t* ldc, std::size_t length_a, std::size_t length_b);
template <class T>
using CGemm = void (*)(int order, int transpose_a, int transpose_b, std::int64_t m, std::int64_t n,
                       std::int64_t k, T alpha, const T* a, std::int64_t lda, const T* b, std::int64_t ldb,
                       T beta, T* c, std::int64_t ldc);

/// Of the library, null where it has none; set once, by `start`.
template <class T>
FortranGemm<T> fortran_gemm = nullptr;
template <class T>
CGemm<T> c_gemm = nullptr;

/// One operand by columns.
template <class T>
struct Input {
    bool transposed;
    const T* data;
    std::int64_t ld;
};

template <class T>
void call_gemm(std::int64_t m, std::int64_t n, std::int64_t k, T alpha, const Input<T>& a, const Input<T>& b,
               T beta, T* c, std::int64_t ldc) noexcept {
    constexpr int by_columns = 102, as_it_is = 111, transposed = 112;
    if (fortran_gemm<T> != nullptr)
        fortran_gemm<T>(a.transposed ? "T" : "N", b.transposed ? "T" : "N", &m, &n, &k, &alpha, a.data, &a.ld,
                        b.data, &b.ld, &beta, c, &ldc, 1, 1);
    else
        c_gemm<T>(by_columns, a.transposed ? transposed : as_it_is, b.transposed ? transposed : as_it_is, m,
                  n, k, alpha, a.data, a.ld, b.data, b.ld, beta, c, ldc);
}

template <class T>
struct Product {
    using Element = T;
    static constexpr unsigned max_threads = 4096; // whatever the environment says

    tg_status prepare(const Request<T>& request, tg_error* error) noexcept {
        constexpr char letter = sizeof(T) == 4 ? 's' : 'd';
        if (fortran_gemm<T> == nullptr && c_gemm<T> == nullptr)
            return refuse(error, TG_UNSUPPORTED, "The library has neither %cgemm_ nor cblas_%cgemm.", letter,
                          letter);
        if (const tg_status status = make_blas_call("The BLAS", request, call, error); status != TG_OK)
            return status;
        return require_32_bits("The BLAS, perhaps,", request, call, error);
    }

    tg_status run(const Request<T>& request, const Operands<T>& operands, tg_error*) const noexcept {
        // C by rows is C^T by columns: C^T = B^T * A^T.
        const bool turned = call.by_rows;
        const std::int64_t m = turned ? request.n : request.m, n = turned ? request.m : request.n;
        each_matrix(request, operands, [&](const T* a, const T* b, T* c) {
            const Input<T> of_a{call.transpose_a, a, call.lda}, of_b{call.transpose_b, b, call.ldb};
            call_gemm(m, n, request.k, request.alpha, turned ? of_b : of_a, turned ? of_a : of_b,
                      request.beta, c, call.ldc);
        });
        return TG_OK;
    }

    BlasCall call;
};

constexpr tg_flags flags = TG_SERIAL_ONLY | TG_KEEP_LOADED | TG_OWN_MEMORY | TG_OWN_THREADS;
constexpr tg_kernel f64 = whole_kernel<Product<double>>("by_path", "dgemm of a BLAS given by path", flags, 1);
constexpr tg_kernel f32 =
    whole_kernel<Product<float>>("by_path_f32", "sgemm of a BLAS given by path", flags, 1);
constexpr const tg_kernel* kernels[] = {&f64, &f32, nullptr};

tg_status start(const tg_host* host, tg_error* error) noexcept {
    const char* const path = std::getenv(variable);
    if (path == nullptr || *path != '/')
        return refuse(error, TG_UNSUPPORTED, "%s does not hold the absolute path of a BLAS library.",
                      variable);
    void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        return refuse(error, TG_UNSUPPORTED, "%s", dlerror());
    fortran_gemm<double> = reinterpret_cast<FortranGemm<double>>(dlsym(library, "dgemm_"));
    fortran_gemm<float> = reinterpret_cast<FortranGemm<float>>(dlsym(library, "sgemm_"));
    c_gemm<double> = reinterpret_cast<CGemm<double>>(dlsym(library, "cblas_dgemm"));
    c_gemm<float> = reinterpret_cast<CGemm<float>>(dlsym(library, "cblas_sgemm"));
    if (fortran_gemm<double> == nullptr && fortran_gemm<float> == nullptr && c_gemm<double> == nullptr &&
        c_gemm<float> == nullptr)
        return refuse(error, TG_UNSUPPORTED,
                      "%s has none of dgemm_, sgemm_, cblas_dgemm and cblas_sgemm, so it is no BLAS.", path);
    if (const void* const corename = dlsym(library, "openblas_get_corename"); corename != nullptr)
        log_openblas_core(host, path, reinterpret_cast<char* (*)()>(const_cast<void*>(corename))());
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
