// One call of a register tile, described: enough to make the call again and to tell a person about it.
#pragma once
#include "conformance/family.hpp"
#include "worker/crash_note.hpp"
#include "worker/guarded_memory.hpp"

#include <tune_gemm/catalogue.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tune_gemm::host {

/// How an operand lies in memory (tg_access).
enum class Form : std::uint8_t { packed, row_unit, col_unit, any };
std::string_view to_text(Form) noexcept;
/// The forms that a tile declares for one operand.
std::vector<Form> forms_in(tg_access);

/// Where one operand of a call lies.
struct Place {
    Form form = Form::packed;
    Placement placement = Placement::flush_end;
    std::int64_t rs = 1, cs = 1; ///< elements; meaningless for packed
    std::int64_t width = 0;      ///< of the packed panel
    std::int64_t shift =
        0; ///< elements between the block and the inaccessible page; packed: which panel it is
};

struct TileCase {
    std::int64_t m = 0, n = 0, k = 0;
    bool accumulate = false;
    bool selected = false; ///< through the entry that select gives
    bool hints = false;    ///< next_a, next_b and next_c point to memory that cannot be touched
    bool dirty_c = false;  ///< without accumulate: C held large finite numbers, not signalling NaNs
    int registers = 0;     ///< which pattern the vector registers held
    Place a, b, c;
    Recipe recipe;
};

/// "m=3 n=5 k=7, A packed, B row_unit (rs 9), C any (rs 3, cs 17), accumulating, cancelling data". Writes at
/// most `room` bytes and allocates nothing, for crash notes.
std::size_t write_case(const TileCase&, char* out, std::size_t room) noexcept;
std::string to_text(const TileCase&);
CallNote note_of(const TileCase&) noexcept;

/// The forms of A, B and C of one call.
struct Forms {
    Form a, b, c;
};
/// Every combination that a tile declares.
std::vector<Forms> form_combinations(const TileInfo&);

/// Ordinary strides of an operand of rows x columns: `pad` elements between neighbouring rows (columns), and
/// for the form `any` both strides above 1. `transposed` exchanges which of the two is the longer.
void set_strides(Place&, std::int64_t rows, std::int64_t columns, std::int64_t pad, bool transposed = false);

} // namespace tune_gemm::host
