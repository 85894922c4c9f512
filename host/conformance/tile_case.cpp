#include "conformance/tile_case.hpp"

#include "conformance/text_writer.hpp"

#include <array>

namespace tune_gemm::host {
namespace {

void put_place(TextWriter& out, char name, const Place& place, bool shown_strides) noexcept {
    out.put(", {} {}", name, to_text(place.form));
    if (shown_strides && place.form == Form::row_unit)
        out.put(" (rs {})", place.rs);
    if (shown_strides && place.form == Form::col_unit)
        out.put(" (cs {})", place.cs);
    if (shown_strides && place.form == Form::any)
        out.put(" (rs {}, cs {})", place.rs, place.cs);
    if (place.shift != 0)
        place.form == Form::packed ? out.put(" as panel {} of a block", place.shift)
                                   : out.put(" {} elements off", place.shift);
}

std::size_t write_tile(const void* what, char* out, std::size_t room) noexcept {
    return write_case(*static_cast<const TileCase*>(what), out, room);
}

} // namespace

std::string_view to_text(Form form) noexcept {
    constexpr std::array<std::string_view, 4> texts{"packed", "row_unit", "col_unit", "any"};
    return texts[static_cast<std::size_t>(form)];
}

std::vector<Form> forms_in(tg_access access) {
    std::vector<Form> forms;
    for (const Form form : {Form::packed, Form::row_unit, Form::col_unit, Form::any})
        if ((access & (1u << static_cast<unsigned>(form))) != 0)
            forms.push_back(form);
    return forms;
}

std::size_t write_case(const TileCase& tile_case, char* out, std::size_t room) noexcept {
    TextWriter writer(out, room);
    writer.put("m={} n={} k={}", tile_case.m, tile_case.n, tile_case.k);
    put_place(writer, 'A', tile_case.a, true);
    put_place(writer, 'B', tile_case.b, true);
    put_place(writer, 'C', tile_case.c, true);
    writer.put(", {}{}, {} data, {} an inaccessible page", tile_case.accumulate ? "accumulating" : "storing",
               tile_case.selected ? " through select" : "", to_text(tile_case.recipe.family),
               tile_case.a.placement == Placement::flush_end ? "ending at" : "beginning after");
    return writer.used();
}

std::string to_text(const TileCase& tile_case) {
    std::array<char, 512> text;
    return {text.data(), write_case(tile_case, text.data(), text.size())};
}

CallNote note_of(const TileCase& tile_case) noexcept {
    return {write_tile, &tile_case};
}

std::vector<Forms> form_combinations(const TileInfo& tile) {
    std::vector<Forms> all;
    for (const Form a : forms_in(tile.access_a))
        for (const Form b : forms_in(tile.access_b))
            for (const Form c : forms_in(tile.access_c & ~tg_access{TG_PACKED}))
                all.push_back({a, b, c});
    return all;
}

void set_strides(Place& place, std::int64_t rows, std::int64_t columns, std::int64_t pad, bool transposed) {
    switch (place.form) {
    case Form::packed:
        break;
    case Form::row_unit:
        place.rs = columns + pad, place.cs = 1;
        break;
    case Form::col_unit:
        place.rs = 1, place.cs = rows + pad;
        break;
    case Form::any:
        if (transposed)
            place.rs = 2, place.cs = 2 * rows + 1 + pad;
        else
            place.rs = 2 * columns + 1 + pad, place.cs = 2;
        break;
    }
}

} // namespace tune_gemm::host
