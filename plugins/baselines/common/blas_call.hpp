// Strides as BLAS knows them: for each operand an order, or a transpose, and a leading dimension.
#pragma once
#include "request.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace tune_gemm::baselines {

/// How a matrix is stored: by rows (column stride 1) or by columns (row stride 1).
struct Storage {
    bool by_rows = false;
    std::int64_t leading = 1; ///< elements from one row (column) to the next; at least the other extent
};

/// The storage of rows x columns elements with these strides, or nothing when neither stride is 1 or the two
/// overlap. A stride that is never taken, since there is one row (column) only, may be anything. Where both
/// storages fit, the preferred one is chosen.
inline std::optional<Storage> storage_of(std::int64_t rows, std::int64_t columns, const Strides& strides,
                                         bool prefer_rows) noexcept {
    const auto fits = [](std::int64_t lines, std::int64_t length, std::int64_t step,
                         std::int64_t along) -> std::optional<std::int64_t> {
        const std::int64_t least = std::max<std::int64_t>(length, 1);
        if (length > 1 && along != 1)
            return std::nullopt;
        if (lines <= 1)
            return least;
        return step >= least ? std::optional(step) : std::nullopt;
    };
    const auto by_rows = fits(rows, columns, strides.row, strides.column);
    const auto by_columns = fits(columns, rows, strides.column, strides.row);
    if (by_rows && (prefer_rows || !by_columns))
        return Storage{true, *by_rows};
    if (by_columns)
        return Storage{false, *by_columns};
    return std::nullopt;
}

/// The arguments of a BLAS gemm besides extents, scalars and addresses. The order is C's; a factor stored the
/// other way is transposed. A library that knows columns only computes C^T = B^T * A^T when C lies by rows:
/// it is then given B, ldb and transpose_b first, and n before m.
struct BlasCall {
    bool by_rows = false;
    bool transpose_a = false, transpose_b = false;
    std::int64_t lda = 1, ldb = 1, ldc = 1;
};

inline tg_status refuse_strides(const char* library, char operand, std::int64_t rows, std::int64_t columns,
                                const Strides& strides, tg_error* error) noexcept {
    return refuse(error, TG_UNSUPPORTED,
                  "%s takes %c (%lld x %lld) by rows or by columns, not with row stride %lld and column "
                  "stride %lld.",
                  library, operand, static_cast<long long>(rows), static_cast<long long>(columns),
                  static_cast<long long>(strides.row), static_cast<long long>(strides.column));
}

/// Refuses (TG_UNSUPPORTED) strides that BLAS cannot express. Where C can be taken either way, being one row
/// or column, `prefer_rows` decides.
template <class T>
tg_status make_blas_call(const char* library, const Request<T>& r, BlasCall& call, tg_error* error,
                         bool prefer_rows = false) noexcept {
    const auto c = storage_of(r.m, r.n, r.c, prefer_rows);
    if (!c)
        return refuse_strides(library, 'C', r.m, r.n, r.c, error);
    const auto a = storage_of(r.m, r.k, r.a, c->by_rows), b = storage_of(r.k, r.n, r.b, c->by_rows);
    if (!a)
        return refuse_strides(library, 'A', r.m, r.k, r.a, error);
    if (!b)
        return refuse_strides(library, 'B', r.k, r.n, r.b, error);
    call = {c->by_rows, a->by_rows != c->by_rows, b->by_rows != c->by_rows, a->leading, b->leading,
            c->leading};
    return TG_OK;
}

/// Refuses a request whose extents or leading dimensions do not fit the library's integers of 32 bits.
template <class T>
tg_status require_32_bits(const char* library, const Request<T>& r, const BlasCall& call,
                          tg_error* error) noexcept {
    const std::int64_t largest = std::max({r.m, r.n, r.k, call.lda, call.ldb, call.ldc});
    if (largest <= INT32_MAX)
        return TG_OK;
    return refuse(error, TG_UNSUPPORTED,
                  "%s counts in 32 bits; the largest extent or leading dimension, %lld, is above 2147483647.",
                  library, static_cast<long long>(largest));
}

} // namespace tune_gemm::baselines
