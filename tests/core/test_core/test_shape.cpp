#include "errors.hpp"

#include <tune_gemm/shape.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <set>

using namespace tune_gemm;
using test::check_words;
using test::error_of;

namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr Operand operands[] = {Operand::a, Operand::b, Operand::c};

GemmShape cube(std::int64_t side) {
    return {.m = side, .n = side, .k = side};
}

} // namespace

TEST_CASE("elements of every operand and layout fill the operand without a gap or an overlap") {
    for (const auto& [m, n, k, batch] :
         {std::array<std::int64_t, 4>{1, 1, 1, 1}, {3, 5, 2, 1}, {4, 1, 7, 3}, {2, 6, 1, 2}}) {
        for (const Layout layout : {Layout::row_major, Layout::column_major}) {
            const GemmShape shape{.m = m,
                                  .n = n,
                                  .k = k,
                                  .batch = batch,
                                  .layout_a = layout,
                                  .layout_b = layout,
                                  .layout_c = layout};
            for (const Operand operand : operands) {
                const auto [rows, columns] = extents_of(shape, operand);
                const Strides strides = strides_of(shape, operand);
                std::set<std::int64_t> offsets;
                for (std::int64_t b = 0; b < batch; ++b)
                    for (std::int64_t i = 0; i < rows; ++i)
                        for (std::int64_t j = 0; j < columns; ++j) {
                            const std::int64_t offset =
                                b * strides.batch + i * strides.row + j * strides.column;
                            // The formula of the contract, written out.
                            CHECK(offset ==
                                  b * rows * columns +
                                      (layout == Layout::row_major ? i * columns + j : j * rows + i));
                            offsets.insert(offset);
                        }
                const std::int64_t length = matrix_length(shape, operand);
                CHECK(length == batch * rows * columns);
                CHECK(static_cast<std::int64_t>(offsets.size()) == length);
                CHECK(*offsets.begin() == 0);
                CHECK(*offsets.rbegin() == length - 1);
            }
        }
    }
}

TEST_CASE("each operand has its own layout") {
    const GemmShape shape{
        .m = 2, .n = 3, .k = 5, .layout_a = Layout::column_major, .layout_c = Layout::column_major};
    CHECK(strides_of(shape, Operand::a) == Strides{1, 2, 10});
    CHECK(strides_of(shape, Operand::b) == Strides{3, 1, 15});
    CHECK(strides_of(shape, Operand::c) == Strides{1, 2, 6});
    CHECK(layout_of(shape, Operand::b) == Layout::row_major);
}

TEST_CASE("lengths overflow with a sentence, never by wrapping") {
    const std::int64_t side = std::int64_t{1} << 22;
    CHECK(matrix_length(cube(side), Operand::a) == side * side);
    check_words(error_of([=] { multiply_adds(cube(side)); }),
                {"m*n*k*batch", "4194304*4194304*4194304*1", "64 bits"});
    // Products that wrap to something small and positive, which an unchecked product would take.
    const std::int64_t half = std::int64_t{1} << 32;
    check_words(error_of([=] { matrix_length({.m = half + 1, .n = 1, .k = half}, Operand::a); }),
                {"A", "batch*m*k"});
    check_words(error_of([=] { matrix_length({.m = 1, .n = half, .k = half}, Operand::b); }),
                {"B", "batch*k*n"});
    check_words(error_of([=] { matrix_length({.m = half, .n = half, .k = 1}, Operand::c); }),
                {"C", "batch*m*n"});
    check_words(error_of([=] { matrix_length({.m = half, .n = 1, .k = 2, .batch = half}, Operand::a); }),
                {"batch"});
    check_words(error_of([=] { strides_of({.m = half, .n = half, .k = 1}, Operand::c); }), {"64 bits"});
    CHECK(matrix_length({.m = largest, .n = largest, .k = 0, .batch = 2}, Operand::a) == 0);
    CHECK(multiply_adds({.m = largest, .n = largest, .k = 0}) == 0);
    CHECK(matrix_length({.m = largest, .n = 1, .k = 1}, Operand::a) == largest);
    for (const Operand operand : operands)
        check_words(error_of([=] { matrix_length({.m = -1, .n = -1, .k = -1, .batch = 1}, operand); }),
                    {" = -1", "negative"});
}

TEST_CASE("boundary shapes differ in m, validation shapes in every extent") {
    const GemmShape shape{.m = 4, .n = 1, .k = 9, .batch = 2};
    const auto [below, same, above] = boundary_shapes(shape);
    CHECK(below.m == 3);
    CHECK(same == shape);
    CHECK(above.m == 5);
    CHECK(above.k == 9);
    CHECK(boundary_shapes(cube(0))[0].m == 0);
    check_words(error_of([] { boundary_shapes(cube(largest)); }), {"m = 9223372036854775807"});

    const auto shown = [](const GemmShape& around) {
        std::string text;
        for (const GemmShape& each : validation_shapes(around))
            text += shape_text(each) + " ";
        return text;
    };
    CHECK(shown({.m = 9, .n = 8, .k = 7}) ==
          "9x8x7 8x8x7 10x8x7 9x7x7 9x9x7 9x8x6 9x8x8 8x7x6 10x9x8 6x5x7 ");
    // No extent below 1, and nothing twice.
    CHECK(shown(shape) == "4x1x9x2 3x1x9x2 5x1x9x2 4x2x9x2 4x1x8x2 4x1x10x2 3x1x8x2 5x2x10x2 1x1x9x2 ");
    CHECK(shown(cube(1)) == "1x1x1 2x1x1 1x2x1 1x1x2 2x2x2 ");
}

TEST_CASE("shapes and layouts are written and read back") {
    for (const char* text : {"1x1x1", "64x48x32", "5x7x3x9", "9223372036854775807x1x1"})
        CHECK(shape_text(parse_shape(text)) == text);
    CHECK(parse_shape("2x3x4x1") == GemmShape{.m = 2, .n = 3, .k = 4});
    GemmShape shape = cube(1);
    for (const char* letters : {"rrr", "rrc", "rcr", "rcc", "crr", "crc", "ccr", "ccc"}) {
        parse_layouts(letters, shape);
        CHECK(layouts_text(shape) == letters);
    }
    CHECK(shape.layout_a == Layout::column_major);
    for (const Layout layout : {Layout::row_major, Layout::column_major})
        CHECK(parse_layout(to_text(layout)) == layout);
}

TEST_CASE("a bad shape or layout is refused with the field and the text") {
    struct Case {
        const char* text;
        const char* word;
    };
    for (const Case& tried : {Case{"0x1x1", "m \"0\""},
                              {"1x-2x1", "n \"-2\""},
                              {"1x1x", "k \"\""},
                              {"1x1x1x0", "batch \"0\""},
                              {"+1x1x1", "m \"+1\""},
                              {"01x1x1", "m \"01\""},
                              {" 1x1x1", "m \" 1\""},
                              {"1x1x1 ", "k \"1 \""},
                              {"1x1x1e3", "k \"1e3\""},
                              {"1x9223372036854775808x1", "n \"9223372036854775808\""},
                              {"1x1", "2 extents"},
                              {"", "0 extents"},
                              {"1x1x1x1x1", "5 extents"},
                              {"1X1X1", "1 extents"},
                              {"4194304x4194304x4194304", "m*n*k*batch"},
                              {"8589934592x1x8589934592", "length of A"}}) {
        const auto& text = tried.text;
        const auto& word = tried.word;
        CAPTURE(text);
        check_words(error_of([&] { parse_shape(text); }), {word});
    }
    GemmShape shape = cube(1);
    check_words(error_of([&] { parse_layouts("rr", shape); }), {"\"rr\"", "2 characters"});
    check_words(error_of([&] { parse_layouts("rxr", shape); }), {"layout_b", "\"x\"", "\"rxr\""});
    check_words(error_of([&] { parse_layouts("crX", shape); }), {"layout_c", "\"X\""});
    CHECK(shape == cube(1)); // nothing of a bad text is taken over
    check_words(error_of([] { parse_layout("row-major"); }), {"\"row-major\"", "row_major or column_major"});
    check_words(error_of([] { parse_layout({"\x1b[2J\xff", 5}); }), {"\\x1b[2J\\xff"});
}
