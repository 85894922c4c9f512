#include "text.hpp"

#include <tune_gemm/checked.hpp>
#include <tune_gemm/error.hpp>
#include <tune_gemm/shape.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <limits>

namespace tune_gemm {
namespace {

struct Factor {
    std::string_view name;
    std::int64_t value;
};

/// The product of extents, or an Error that names the extents. A zero makes it zero, however large the others
/// are.
std::int64_t product_of(std::string_view what, std::initializer_list<Factor> factors) {
    bool zero = false;
    for (const Factor& factor : factors) {
        if (factor.value < 0)
            throw_bad_input(
                fmt::format("{} = {} is negative; an extent is 0 or more.", factor.name, factor.value));
        zero = zero || factor.value == 0;
    }
    if (zero)
        return 0;
    std::int64_t product = 1;
    for (const Factor& factor : factors) {
        const auto next = checked_multiply(product, factor.value);
        if (!next) {
            std::string names, values;
            for (const Factor& each : factors) {
                names += fmt::format("{}{}", names.empty() ? "" : "*", each.name);
                values += fmt::format("{}{}", values.empty() ? "" : "*", each.value);
            }
            throw_bad_input(fmt::format("{}, {} = {}, does not fit 64 bits; make the extents smaller.", what,
                                        names, values));
        }
        product = *next;
    }
    return product;
}

/// `extent` + 1 or - 1; the name is for the message.
std::int64_t moved(std::string_view name, std::int64_t extent, std::int64_t step) {
    const auto sum = checked_add(extent, step);
    if (!sum)
        throw_bad_input(fmt::format("{} = {} has no neighbour below 2^63; make it smaller.", name, extent));
    return *sum;
}

} // namespace

Layout layout_of(const GemmShape& shape, Operand operand) noexcept {
    switch (operand) {
    case Operand::a:
        return shape.layout_a;
    case Operand::b:
        return shape.layout_b;
    case Operand::c:
        break;
    }
    return shape.layout_c;
}

Extents extents_of(const GemmShape& shape, Operand operand) noexcept {
    switch (operand) {
    case Operand::a:
        return {shape.m, shape.k};
    case Operand::b:
        return {shape.k, shape.n};
    case Operand::c:
        break;
    }
    return {shape.m, shape.n};
}

Strides strides_of(const GemmShape& shape, Operand operand) {
    GemmShape single = shape;
    single.batch = 1;
    const std::int64_t matrix = matrix_length(single, operand);
    const auto [rows, columns] = extents_of(shape, operand);
    if (layout_of(shape, operand) == Layout::row_major)
        return {.row = columns, .column = 1, .batch = matrix};
    return {.row = 1, .column = rows, .batch = matrix};
}

std::int64_t matrix_length(const GemmShape& shape, Operand operand) {
    switch (operand) {
    case Operand::a:
        return product_of("The length of A", {{"batch", shape.batch}, {"m", shape.m}, {"k", shape.k}});
    case Operand::b:
        return product_of("The length of B", {{"batch", shape.batch}, {"k", shape.k}, {"n", shape.n}});
    case Operand::c:
        break;
    }
    return product_of("The length of C", {{"batch", shape.batch}, {"m", shape.m}, {"n", shape.n}});
}

std::int64_t multiply_adds(const GemmShape& shape) {
    return product_of("The number of multiply-adds",
                      {{"m", shape.m}, {"n", shape.n}, {"k", shape.k}, {"batch", shape.batch}});
}

std::array<GemmShape, 3> boundary_shapes(const GemmShape& shape) {
    GemmShape below = shape, above = shape;
    below.m = shape.m > 0 ? shape.m - 1 : 0;
    above.m = moved("m", shape.m, 1);
    return {below, shape, above};
}

std::vector<GemmShape> validation_shapes(const GemmShape& shape) {
    struct Steps {
        std::int64_t m, n, k;
    };
    std::vector<GemmShape> shapes;
    for (const auto& [m, n, k] : {Steps{0, 0, 0},
                                  {-1, 0, 0},
                                  {1, 0, 0},
                                  {0, -1, 0},
                                  {0, 1, 0},
                                  {0, 0, -1},
                                  {0, 0, 1},
                                  {-1, -1, -1},
                                  {1, 1, 1},
                                  {-3, -3, 0}}) {
        const auto extent = [](std::string_view name, std::int64_t of, std::int64_t step) {
            return step < 0 ? std::max<std::int64_t>(moved(name, of, step), 1) : moved(name, of, step);
        };
        GemmShape neighbour = shape;
        neighbour.m = extent("m", shape.m, m);
        neighbour.n = extent("n", shape.n, n);
        neighbour.k = extent("k", shape.k, k);
        if (std::find(shapes.begin(), shapes.end(), neighbour) == shapes.end())
            shapes.push_back(neighbour);
    }
    return shapes;
}

std::string_view to_text(Layout layout) noexcept {
    return layout == Layout::row_major ? "row_major" : "column_major";
}

Layout parse_layout(std::string_view layout) {
    for (const Layout known : {Layout::row_major, Layout::column_major}) {
        if (layout == to_text(known))
            return known;
    }
    throw_bad_input(
        fmt::format("layout {} is not known; it is row_major or column_major.", text::quoted(layout)));
}

std::string shape_text(const GemmShape& shape) {
    std::string shown = fmt::format("{}x{}x{}", shape.m, shape.n, shape.k);
    if (shape.batch != 1)
        shown += fmt::format("x{}", shape.batch);
    return shown;
}

GemmShape parse_shape(std::string_view whole) {
    const std::size_t parts = text::count_parts(whole, 'x');
    if (parts != 3 && parts != 4) {
        throw_bad_input(
            fmt::format("shape {} has {} extents separated by x; it is MxNxK or MxNxKxBATCH, e.g. "
                        "64x48x32.",
                        text::quoted(whole), whole.empty() ? 0 : parts));
    }
    GemmShape shape;
    std::string_view rest = whole;
    const auto take = [&](std::string_view name) {
        const std::string_view part = text::take_part(rest, 'x');
        const auto value = text::canonical_integer(part);
        if (!value || *value < 1) {
            throw_bad_input(
                fmt::format("{} {} in shape {} is not a positive whole number below 2^63, written in "
                            "digits without a leading 0.",
                            name, text::quoted(part), text::quoted(whole)));
        }
        return *value;
    };
    shape.m = take("m");
    shape.n = take("n");
    shape.k = take("k");
    if (parts == 4)
        shape.batch = take("batch");
    for (const Operand operand : {Operand::a, Operand::b, Operand::c})
        matrix_length(shape, operand);
    multiply_adds(shape);
    return shape;
}

std::string layouts_text(const GemmShape& shape) {
    std::string letters;
    for (const Layout layout : {shape.layout_a, shape.layout_b, shape.layout_c})
        letters += layout == Layout::row_major ? 'r' : 'c';
    return letters;
}

void parse_layouts(std::string_view letters, GemmShape& shape) {
    if (letters.size() != 3) {
        throw_bad_input(
            fmt::format("layouts {} has {} characters; it is three letters r or c for A, B and C, "
                        "e.g. rcr.",
                        text::quoted(letters), letters.size()));
    }
    const auto layout = [&](std::string_view field, char letter) {
        if (letter != 'r' && letter != 'c') {
            throw_bad_input(
                fmt::format("{} {} in layouts {} is not known; it is r (row_major) or c (column_major).",
                            field, text::quoted({&letter, 1}), text::quoted(letters)));
        }
        return letter == 'r' ? Layout::row_major : Layout::column_major;
    };
    const Layout a = layout("layout_a", letters[0]);
    const Layout b = layout("layout_b", letters[1]);
    const Layout c = layout("layout_c", letters[2]);
    shape.layout_a = a;
    shape.layout_b = b;
    shape.layout_c = c;
}

} // namespace tune_gemm
