// Micro-panels element by element.
#include <tune_gemm/packing.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace tune_gemm;

namespace {

/// 100*strip + depth, so that every element says where it comes from.
std::vector<double> numbered(std::int64_t strips, std::int64_t depth) {
    std::vector<double> values;
    for (std::int64_t s = 0; s < strips; ++s)
        for (std::int64_t l = 0; l < depth; ++l)
            values.push_back(static_cast<double>(100 * s + l));
    return values;
}

std::vector<double> packed(std::int64_t strips, std::int64_t depth, const PanelShape& shape,
                           double scale = 1) {
    const auto source = numbered(strips, depth);
    std::vector<double> panels(static_cast<std::size_t>(packed_elements(strips, depth, shape)), -1);
    pack_block(source.data(), depth, std::int64_t{1}, strips, depth, scale, shape, panels.data());
    return panels;
}

} // namespace

TEST_CASE("packing: panels side by side, the last one narrow or padded") {
    CHECK(packed(3, 2, {.width = 2, .kr = 1, .narrow_last = true}) ==
          std::vector<double>{0, 100, 1, 101, /* one strip */ 200, 201});
    CHECK(packed(3, 2, {.width = 2, .kr = 1, .narrow_last = false}) ==
          std::vector<double>{0, 100, 1, 101, 200, 0, 201, 0});
    CHECK(packed(3, 2, {.width = 2, .kr = 1, .narrow_last = true}, 0.5) ==
          std::vector<double>{0, 50, 0.5, 50.5, 100, 100.5});
}

TEST_CASE("packing: k interleaved by kr, padded with zeros") {
    CHECK(packed(3, 3, {.width = 2, .kr = 2, .narrow_last = true}) ==
          std::vector<double>{0, 1, 100, 101, 2, 0, 102, 0, 200, 201, 202, 0});
    CHECK(packed(1, 3, {.width = 2, .kr = 4, .narrow_last = false}) ==
          std::vector<double>{0, 1, 2, 0, 0, 0, 0, 0});
}

TEST_CASE("packing: sizes, and strides of any kind") {
    CHECK(packed_elements(5, 7, {.width = 4, .kr = 1, .narrow_last = true}) == 35);
    CHECK(packed_elements(5, 7, {.width = 4, .kr = 1, .narrow_last = false}) == 56);
    CHECK(packed_elements(5, 7, {.width = 4, .kr = 4, .narrow_last = true}) == 40);
    CHECK(packed_elements(0, 7, {.width = 4, .kr = 4, .narrow_last = false}) == 0);
    const float source[] = {0, 1, 2, 3, 4, 5};
    float panel[4];
    // Backwards along strips, every second depth.
    pack_block(source + 3, std::int64_t{-3}, std::int64_t{2}, 2, 2, 1.0f, {.width = 2}, panel);
    CHECK(std::vector<float>(panel, panel + 4) == std::vector<float>{3, 0, 5, 2});
}

TEST_CASE("packing: the bytes that a mode wants packed ahead") {
    const GemmShape shape{.m = 70, .n = 50, .k = 30, .batch = 2};
    const auto bytes = [&](const char* mode) {
        return prepacked_bytes(
            parse_candidate_id(std::string("32x32x16:4x4:scalar:m_n_k:ab:") + mode + ":compute"), shape);
    };
    CHECK(bytes("workspace") == 0);
    CHECK(bytes("prepacked_a") == 8 * 2 * 70 * 30);
    CHECK(bytes("prepacked_b") == 8 * 2 * 30 * 50);
    CHECK(bytes("prepacked_ab") == 8 * 2 * (70 * 30 + 30 * 50));
    const GemmShape huge{.m = std::int64_t{1} << 31, .n = 1, .k = std::int64_t{1} << 31};
    CHECK_THROWS_AS(
        prepacked_bytes(parse_candidate_id("32x32x16:4x4:scalar:m_n_k:ab:prepacked_a:compute"), huge), Error);
}
