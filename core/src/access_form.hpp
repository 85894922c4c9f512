// Forms in which a tile takes an operand that stays where it is.
#pragma once
#include <tune_gemm/abi.h>

#include <cstdint>

namespace tune_gemm {

enum class Form { none, row_unit, column_unit, any };

/// The form in which `access` takes a rows x columns operand with these strides. A stride along which there
/// is at most one entry is never used, so it counts as 1 where that helps.
constexpr Form form_in_place(tg_access access, std::int64_t rows, std::int64_t columns,
                             std::int64_t row_stride, std::int64_t column_stride) noexcept {
    const bool takes_rows = (access & TG_ROW_UNIT) != 0, takes_columns = (access & TG_COL_UNIT) != 0;
    if (takes_rows && column_stride == 1)
        return Form::row_unit;
    if (takes_columns && row_stride == 1)
        return Form::column_unit;
    if ((access & TG_ANY) != 0)
        return Form::any;
    if (takes_rows && columns <= 1)
        return Form::row_unit;
    if (takes_columns && rows <= 1)
        return Form::column_unit;
    return Form::none;
}

/// Whether a block copied with its strips side by side (one panel as wide as the block) suits the tile in
/// place: the way to multiply alpha into an operand of a tile that takes no packed panels. left: A, else B.
constexpr bool takes_copy(tg_access access, bool left) noexcept {
    return (access & (TG_ANY | (left ? TG_COL_UNIT : TG_ROW_UNIT))) != 0;
}

} // namespace tune_gemm
