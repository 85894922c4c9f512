#include "measure/tile_call.hpp"

#include <tune_gemm/checked.hpp>
#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tune_gemm::host {
namespace {

std::int64_t aligned(std::int64_t bytes, std::int64_t to) noexcept {
    return (bytes + to - 1) / to * to;
}

/// Small whole numbers without a pattern that a mistake could share.
int entry_of(std::int64_t row, std::int64_t column) noexcept {
    return static_cast<int>((row * 7 + column * 5 + row * column) % 11) - 5;
}

} // namespace

TileCall::TileCall(const KernelInfo& kernel, const TileInfo& tile, std::int64_t m, std::int64_t n,
                   std::int64_t k, bool accumulate)
    : kernel_(kernel.kernel), dtype_(kernel.arithmetic.dtype), kr_(std::max<std::int64_t>(tile.kr, 1)),
      packed_a_((tile.access_a & TG_PACKED) != 0), packed_b_((tile.access_b & TG_PACKED) != 0) {
    if (dtype_ != TG_F64 && dtype_ != TG_F32)
        throw Error(ErrorKind::unavailable,
                    fmt::format("The kernel {} works on {}; f64 and f32 can be run here.", kernel.id,
                                dtype_text(dtype_)));
    const auto size = static_cast<std::int64_t>(element_size(dtype_));
    const std::int64_t align = std::max<std::int64_t>(tile.align_packed, Buffer::least_alignment);
    const std::int64_t depth = round_up(k, kr_);
    const std::int64_t a_bytes = aligned(m * depth * size, align), b_bytes = aligned(n * depth * size, align);
    operands_ = Buffer(a_bytes + b_bytes + m * n * size, Buffer::Use::result, align);
    std::byte* const memory = operands_.bytes().data();
    std::memset(memory, 0, operands_.bytes().size());
    const bool a_by_columns = packed_a_ || (tile.access_a & (TG_COL_UNIT | TG_ANY)) != 0;
    const bool b_by_rows = packed_b_ || (tile.access_b & (TG_ROW_UNIT | TG_ANY)) != 0;
    const bool c_by_rows = (tile.access_c & (TG_ROW_UNIT | TG_ANY)) != 0;
    args_ = {.struct_size = sizeof args_,
             .flags = accumulate ? tg_tile_flags{TG_ACCUMULATE} : 0,
             .m = m,
             .n = n,
             .k = k,
             .a = memory,
             .b = memory + a_bytes,
             .c = memory + a_bytes + b_bytes,
             .rs_a = a_by_columns ? 1 : k,
             .cs_a = a_by_columns ? m : 1,
             .rs_b = b_by_rows ? n : 1,
             .cs_b = b_by_rows ? 1 : k,
             .rs_c = c_by_rows ? n : 1,
             .cs_c = c_by_rows ? 1 : m,
             .next_a = nullptr,
             .next_b = nullptr,
             .next_c = nullptr};
    run_ = tile.tile->run;
    if (tile.tile->select != nullptr)
        if (const tg_tile_run selected = tile.tile->select(kernel_, &args_))
            run_ = selected;
}

template <class T>
std::string TileCall::judge_typed() {
    // Where element (strip, l) of a side lies; see tg_tile_args.
    const auto place = [this](bool packed, std::int64_t strip, std::int64_t l, std::int64_t strip_stride,
                              std::int64_t depth_stride) {
        return packed ? l / kr_ * depth_stride * kr_ + strip * kr_ + l % kr_
                      : strip * strip_stride + l * depth_stride;
    };
    const auto a = static_cast<T*>(const_cast<void*>(args_.a)),
               b = static_cast<T*>(const_cast<void*>(args_.b));
    const auto c = static_cast<T*>(args_.c);
    const auto entry = [&](std::int64_t i, std::int64_t j) -> T& {
        return c[i * args_.rs_c + j * args_.cs_c];
    };
    for (std::int64_t l = 0; l < args_.k; ++l) {
        for (std::int64_t i = 0; i < args_.m; ++i)
            a[place(packed_a_, i, l, args_.rs_a, args_.cs_a)] = static_cast<T>(entry_of(i, l));
        for (std::int64_t j = 0; j < args_.n; ++j)
            b[place(packed_b_, j, l, args_.cs_b, args_.rs_b)] = static_cast<T>(entry_of(l, j + 3));
    }
    for (std::int64_t i = 0; i < args_.m; ++i)
        for (std::int64_t j = 0; j < args_.n; ++j)
            entry(i, j) = static_cast<T>(entry_of(i + 1, j));
    (*this)();
    std::string wrong;
    for (std::int64_t i = 0; i < args_.m && wrong.empty(); ++i) {
        for (std::int64_t j = 0; j < args_.n && wrong.empty(); ++j) {
            std::int64_t sum = (args_.flags & TG_ACCUMULATE) != 0 ? entry_of(i + 1, j) : 0;
            for (std::int64_t l = 0; l < args_.k; ++l)
                sum += entry_of(i, l) * entry_of(l, j + 3);
            if (!(entry(i, j) == static_cast<T>(sum)))
                wrong = fmt::format("C[{},{}] of a tile alone, k = {}, is {}, expected {}", i, j, args_.k,
                                    entry(i, j), sum);
        }
    }
    std::memset(operands_.bytes().data(), 0, operands_.bytes().size());
    return wrong;
}

std::string TileCall::judge() {
    return dtype_ == TG_F32 ? judge_typed<float>() : judge_typed<double>();
}

std::string TileCall::name() const {
    return fmt::format("{}x{}", args_.m, args_.n);
}

std::int64_t depth_within(std::int64_t l1_bytes, std::int64_t m, std::int64_t n,
                          std::int64_t element_size) noexcept {
    constexpr std::int64_t most = 256, unit = 8;
    const std::int64_t room = l1_bytes * 3 / 4 / element_size - m * n;
    const std::int64_t depth = std::clamp<std::int64_t>(room / (m + n), 1, most);
    return depth >= unit ? depth / unit * unit : depth;
}

} // namespace tune_gemm::host
