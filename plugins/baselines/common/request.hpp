// A tg_problem read into types: what is asked of a library.
#pragma once
#include "refuse.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tune_gemm::baselines {

/// Distances in elements between neighbouring rows, columns, and matrices of the batch.
struct Strides {
    std::int64_t row = 0, column = 0, batch = 0;
};

/// C := alpha*A*B + beta*C for each matrix of the batch; extents >= 0.
template <class T>
struct Request {
    std::int64_t m = 0, n = 0, k = 0, batch = 0;
    Strides a, b, c;
    T alpha = 0, beta = 0;
    unsigned threads = 1;

    bool empty() const noexcept { return m == 0 || n == 0 || batch == 0; }
    /// When false, A and B must not be read, and C := beta*C is all that is left.
    bool reads_operands() const noexcept { return k != 0 && alpha != T(0); }
};

/// The first matrices of a request.
template <class T>
struct Operands {
    const T* a = nullptr;
    const T* b = nullptr;
    T* c = nullptr;
};

/// Bytes of tg_problem in minor version 0: a smaller one is none.
inline constexpr std::size_t least_problem = offsetof(tg_problem, beta) + sizeof(const void*);

/// Copies the problem, its scalars included; refuses (TG_INVALID) what contradicts the contract.
template <class T>
tg_status read_request(const tg_problem* given, Request<T>& request, tg_error* error) noexcept {
    if (given == nullptr || given->struct_size < least_problem)
        return refuse(error, TG_INVALID, "The problem has %u bytes; at least %zu are expected.",
                      given == nullptr ? 0u : given->struct_size, least_problem);
    tg_problem p{};
    std::memcpy(&p, given, std::min<std::size_t>(given->struct_size, sizeof p));
    if (p.m < 0 || p.n < 0 || p.k < 0 || p.batch < 0)
        return refuse(error, TG_INVALID, "An extent is negative: m = %lld, n = %lld, k = %lld, batch = %lld.",
                      static_cast<long long>(p.m), static_cast<long long>(p.n), static_cast<long long>(p.k),
                      static_cast<long long>(p.batch));
    if (p.threads == 0)
        return refuse(error, TG_INVALID, "threads is 0; at least 1, the caller's own, is expected.");
    if (p.alpha == nullptr || p.beta == nullptr)
        return refuse(error, TG_INVALID, "%s is null.", p.alpha == nullptr ? "alpha" : "beta");
    request.m = p.m, request.n = p.n, request.k = p.k, request.batch = p.batch;
    request.a = {p.rs_a, p.cs_a, p.bs_a};
    request.b = {p.rs_b, p.cs_b, p.bs_b};
    request.c = {p.rs_c, p.cs_c, p.bs_c};
    request.alpha = *static_cast<const T*>(p.alpha);
    request.beta = *static_cast<const T*>(p.beta);
    request.threads = p.threads;
    return TG_OK;
}

/// Calls multiply(a, b, c) for each matrix of the batch.
template <class T, class Multiply>
void each_matrix(const Request<T>& request, const Operands<T>& operands, Multiply&& multiply) {
    for (std::int64_t batch = 0; batch < request.batch; ++batch)
        multiply(operands.a + batch * request.a.batch, operands.b + batch * request.b.batch,
                 operands.c + batch * request.c.batch);
}

/// C := beta*C for each matrix; with beta = 0 zeros, whatever was there.
template <class T>
void scale_c(const Request<T>& request, T* c) noexcept {
    if (request.beta == T(1))
        return;
    for (std::int64_t batch = 0; batch < request.batch; ++batch)
        for (std::int64_t i = 0; i < request.m; ++i)
            for (std::int64_t j = 0; j < request.n; ++j) {
                T& entry = c[batch * request.c.batch + i * request.c.row + j * request.c.column];
                entry = request.beta == T(0) ? T(0) : request.beta * entry;
            }
}

} // namespace tune_gemm::baselines
