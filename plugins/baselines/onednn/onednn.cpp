// oneDNN through dnnl_sgemm; it has no product of doubles.
//
// What the library does to the process: its OpenMP build brings libgomp, whose threads are started by the
// first run with more than one thread and stay, one pool for each calling thread. dnnl_sgemm takes the number
// of threads from OpenMP's setting of the calling thread, which is set for the run and restored; with one
// thread none are started. The first run generates code, and each run allocates room to pack into.
// Constructors of the library fill tables; affinity, signal handlers and the environment stay as they are.
#include "whole_gemm.hpp"

#include "blas_call.hpp"

#include <oneapi/dnnl/dnnl.h>

static_assert(DNNL_CPU_RUNTIME == DNNL_RUNTIME_OMP, "oneDNN is expected to be built for OpenMP");

// Of libgomp. Declared here since omp.h belongs to the compiler, and may be that of another runtime.
extern "C" int omp_get_max_threads(void);
extern "C" void omp_set_num_threads(int);

namespace tune_gemm::baselines {
namespace {

/// OpenMP's number of threads for what the calling thread starts, while it lives.
class ThreadSetting {
  public:
    explicit ThreadSetting(unsigned threads) noexcept : before_(omp_get_max_threads()) {
        omp_set_num_threads(static_cast<int>(threads));
    }
    ~ThreadSetting() { omp_set_num_threads(before_); }
    ThreadSetting(const ThreadSetting&) = delete;
    ThreadSetting& operator=(const ThreadSetting&) = delete;

  private:
    int before_;
};

struct Product {
    using Element = float;
    static constexpr unsigned max_threads = 1024;

    tg_status prepare(const Request<float>& request, tg_error* error) noexcept {
        return make_blas_call("oneDNN", request, call, error);
    }

    tg_status run(const Request<float>& r, const Operands<float>& operands, tg_error* error) const noexcept {
        const ThreadSetting setting(std::min(r.threads, max_threads));
        dnnl_status_t worst = dnnl_success;
        each_matrix(r, operands, [&](const float* a, const float* b, float* c) {
            const char to_a = call.transpose_a ? 'T' : 'N', to_b = call.transpose_b ? 'T' : 'N';
            // dnnl_sgemm knows rows only; where C lies by columns, C^T = B^T * A^T.
            const dnnl_status_t status = call.by_rows
                                             ? dnnl_sgemm(to_a, to_b, r.m, r.n, r.k, r.alpha, a, call.lda, b,
                                                          call.ldb, r.beta, c, call.ldc)
                                             : dnnl_sgemm(to_b, to_a, r.n, r.m, r.k, r.alpha, b, call.ldb, a,
                                                          call.lda, r.beta, c, call.ldc);
            worst = status != dnnl_success ? status : worst;
        });
        if (worst == dnnl_success)
            return TG_OK;
        return refuse(error, worst == dnnl_out_of_memory ? TG_NO_WORKSPACE : TG_INTERNAL,
                      "dnnl_sgemm gave status %d.", static_cast<int>(worst));
    }

    BlasCall call;
};

constexpr tg_flags flags = TG_KEEP_LOADED | TG_OWN_MEMORY | TG_OWN_THREADS;
constexpr tg_kernel f32 = whole_kernel<Product>("onednn_f32", "oneDNN, dnnl_sgemm", flags, 45);
constexpr const tg_kernel* kernels[] = {&f32, nullptr};

tg_status start(const tg_host* host, tg_error*) noexcept {
    if (host != nullptr && host->log != nullptr) {
        const dnnl_version_t* version = dnnl_version();
        char line[256];
        std::snprintf(line, sizeof line, "oneDNN %d.%d.%d; instruction set %#x", version->major,
                      version->minor, version->patch, static_cast<unsigned>(dnnl_get_effective_cpu_isa()));
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
    .name = "onednn",
    .version = "0.1.0",
    .vendor = "tune_gemm, wrapping oneDNN",
    .license = "MIT; oneDNN: Apache-2.0",
    .kernels = tune_gemm::baselines::kernels,
    .init = tune_gemm::baselines::start,
    .deinit = nullptr,
};
