// Eigen, a library of templates: compiled here, on x86-64 for AVX2 and FMA, since it does not choose by
// itself. Serial (it would need OpenMP to be otherwise). It allocates in each run what it packs into, and
// leaves the process alone.
#include "whole_gemm.hpp"

#include "product.hpp"

namespace tune_gemm::baselines {
namespace {

template <class T>
struct Product {
    using Element = T;
    static constexpr unsigned max_threads = 1;

    tg_status prepare(const Request<T>& request, tg_error* error) noexcept {
        return make_blas_call("Eigen", request, call, error);
    }

    tg_status run(const Request<T>& request, const Operands<T>& operands, tg_error*) const {
        eigen_product(request, call, operands);
        return TG_OK;
    }

    BlasCall call;
};

#if defined(__x86_64__)
constexpr const char* features[] = {"avx2", "fma", nullptr};
#else
constexpr const char* features[] = {nullptr};
#endif

constexpr tg_kernel f64 =
    whole_kernel<Product<double>>("eigen", "Eigen, C.noalias() += A*B", TG_OWN_MEMORY, 30, features);
constexpr tg_kernel f32 =
    whole_kernel<Product<float>>("eigen_f32", "Eigen, C.noalias() += A*B", TG_OWN_MEMORY, 30, features);
constexpr const tg_kernel* kernels[] = {&f64, &f32, nullptr};

} // namespace
} // namespace tune_gemm::baselines

constinit const tg_plugin tune_gemm_plugin_v1 = {
    .magic = TG_MAGIC,
    .struct_size = sizeof(tg_plugin),
    .abi_major = TG_ABI_MAJOR,
    .abi_minor = TG_ABI_MINOR,
    .name = "eigen",
    .version = "0.1.0",
    .vendor = "tune_gemm, wrapping Eigen",
    .license = "MIT; Eigen: MPL-2.0",
    .kernels = tune_gemm::baselines::kernels,
    .init = nullptr,
    .deinit = nullptr,
};
