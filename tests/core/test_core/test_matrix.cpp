#include "errors.hpp"
#include "sha256.hpp"

#include <tune_gemm/matrix.hpp>
#include <tune_gemm/reference.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>

using namespace tune_gemm;
using test::check_words;
using test::error_of;

TEST_CASE("the first values of three seeds") {
    struct Golden {
        std::uint64_t seed;
        std::array<int, 6> thousandths;
    };
    for (const auto& [seed, thousandths] : {Golden{0, {281, 800, -590, 211, -124, 456}},
                                            {1, {-254, 452, -736, -450, 883, -885}},
                                            {42, {-452, 354, -234, 827, -244, -591}}}) {
        const auto matrix = reproducible_matrix(seed, 2, 3, Layout::row_major);
        REQUIRE(matrix.size() == 6);
        for (std::size_t index = 0; index < 6; ++index)
            CHECK(matrix[index] == (thousandths[index] + 1000) / 1000.0 - 1.0); // equal, not near
    }
}

TEST_CASE("the product of 5x7x3 from seeds 1 and 2 has the golden bytes") {
    const GemmShape shape{.m = 5, .n = 7, .k = 3};
    const auto c = gemm_reference(shape, reproducible_matrix(1, 5, 3, Layout::row_major),
                                  reproducible_matrix(2, 3, 7, Layout::row_major));
    REQUIRE(c.size() == 35);
    CHECK(test::sha256(c.data(), c.size() * sizeof(double)) ==
          "65e17cb7b4a57df8b81b21f136d9cbb2a5eb759a7f580f93a2ab2dc421d6d0a9");
}

TEST_CASE("the layout changes where values are, never the values") {
    const auto rows = reproducible_matrix(9, 3, 4, Layout::row_major);
    const auto columns = reproducible_matrix(9, 3, 4, Layout::column_major);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 4; ++j)
            CHECK(rows[i * 4 + j] == columns[j * 3 + i]);
    CHECK(rows != columns);
    for (const double value : reproducible_matrix(3, 50, 60, Layout::row_major))
        CHECK(std::fabs(value) <= 1);
}

TEST_CASE("extents that are not positive give an empty matrix, enormous ones an error") {
    CHECK(reproducible_matrix(1, 0, 5, Layout::row_major).empty());
    CHECK(reproducible_matrix(1, 5, -1, Layout::column_major).empty());
    const std::int64_t side = std::int64_t{1} << 32;
    check_words(error_of([=] { reproducible_matrix(1, side, side, Layout::row_major); }), {"64 bits"});
    // Its length fits 64 bits, its bytes do not, so no memory could ever suffice.
    check_words(error_of([=] { reproducible_matrix(1, side, side / 4, Layout::row_major); }),
                {"4611686018427387904", "Memory"});
}

TEST_CASE("a batch comes from consecutive seeds, which wrap") {
    const GemmShape shape{.m = 2, .n = 3, .k = 4, .batch = 3, .layout_b = Layout::column_major};
    const std::uint64_t last = ~std::uint64_t{0};
    const auto operand = reproducible_operand(last, shape, Operand::b);
    REQUIRE(operand.size() == 36);
    std::vector<double> expected;
    for (const std::uint64_t seed : {last, std::uint64_t{0}, std::uint64_t{1}}) {
        const auto matrix = reproducible_matrix(seed, 4, 3, Layout::column_major);
        expected.insert(expected.end(), matrix.begin(), matrix.end());
    }
    CHECK(operand == expected);
    CHECK(reproducible_operand(1, {.m = 2, .n = 3, .k = 0}, Operand::a).empty());
}

TEST_CASE("f32 values are the f64 values rounded") {
    const auto rounded = to_f32(std::array{0.1, -0.3, 1.0});
    CHECK(rounded == std::vector<float>{0.1f, -0.3f, 1.0f});
}

TEST_CASE("pack_operand gives row-major matrices whatever the layout was") {
    GemmShape shape{
        .m = 2, .n = 5, .k = 3, .batch = 2, .layout_a = Layout::column_major, .layout_b = Layout::row_major};
    GemmShape plain = shape;
    plain.layout_a = Layout::row_major;
    for (const Operand operand : {Operand::a, Operand::b}) {
        const auto packed = pack_operand(shape, reproducible_operand(5, shape, operand), operand);
        CHECK(packed == reproducible_operand(5, plain, operand));
        CHECK(pack_operand_f32(shape, to_f32(reproducible_operand(5, shape, operand)), operand) ==
              to_f32(packed));
    }
    check_words(error_of([&] { pack_operand(shape, std::vector<double>(11), Operand::a); }),
                {"A has 11 elements", "has 12"});
    check_words(error_of([&] { pack_operand(shape, std::vector<double>(20), Operand::c); }), {"a or b"});
    check_words(error_of([&] { pack_operand_f32(shape, std::vector<float>(11), Operand::a); }),
                {"A has 11 elements", "has 12"});
}
