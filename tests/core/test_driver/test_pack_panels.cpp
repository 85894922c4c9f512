// The vectors of every size pack what the definition of a panel says, bit for bit, and nothing beside it.
#include "pack_panels.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

using namespace tune_gemm;

namespace {

template <class T>
struct Block {
    std::int64_t strips, depth, strip_stride, depth_stride;
    std::vector<T> source; ///< as long as the block reaches: what reads further is found by a sanitizer
};

/// Contiguous along depth, or along the strips; `leading` elements from one to the next.
template <class T>
Block<T> make_block(std::int64_t strips, std::int64_t depth, bool along_depth, std::int64_t gap) {
    const std::int64_t leading = (along_depth ? depth : strips) + gap;
    Block<T> block{strips, depth, along_depth ? leading : 1, along_depth ? 1 : leading, {}};
    block.source.resize(
        static_cast<std::size_t>((strips - 1) * block.strip_stride + (depth - 1) * block.depth_stride + 1));
    for (std::size_t x = 0; x < block.source.size(); ++x)
        block.source[x] = T(1) / static_cast<T>(x + 3);
    // Bits that arithmetic would change.
    block.source.front() = std::numeric_limits<T>::signaling_NaN();
    block.source.back() = T(-0.0);
    return block;
}

/// The definition, element by element, between canaries.
template <class T>
std::vector<T> expected_panels(const Block<T>& block, const PanelShape& shape, T scale, T canary) {
    std::vector<T> packed;
    // By the bits: a compiler that knows that scale is 1 may multiply by it all the same, and quieten a NaN.
    const T one = T(1);
    const bool scaled = std::memcmp(&scale, &one, sizeof one) != 0;
    for (std::int64_t first = 0; first < block.strips; first += shape.width) {
        const std::int64_t filled = std::min(shape.width, block.strips - first);
        for (std::int64_t l = 0; l < block.depth; ++l) {
            for (std::int64_t s = 0; s < (shape.narrow_last ? filled : shape.width); ++s) {
                const auto at = (first + s) * block.strip_stride + l * block.depth_stride;
                packed.push_back(T(0));
                if (s >= filled)
                    continue;
                const T& value = block.source[static_cast<std::size_t>(at)];
                if (scaled)
                    packed.back() = scale * value;
                else
                    std::memcpy(&packed.back(), &value, sizeof value);
            }
        }
    }
    packed.push_back(canary);
    return packed;
}

template <class T>
bool same_bits(const std::vector<T>& x, const std::vector<T>& y) {
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}

template <class T>
void check_every_packer() {
    std::int64_t checked = 0, wrong = 0;
    std::string first;
    const auto packers = pack::usable_packers<T>();
    for (const std::int64_t width : {1, 2, 3, 4, 6, 7, 8, 9, 14, 15, 16, 24, 33, 48})
        for (const std::int64_t strips : {width - 1, width, width + 1, 2 * width + 3})
            for (const std::int64_t depth : {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 35})
                for (const bool along_depth : {false, true})
                    for (const bool narrow_last : {false, true})
                        for (const T scale : {T(1), T(0.7)}) {
                            if (strips < 1)
                                continue;
                            const PanelShape shape{.width = width, .kr = 1, .narrow_last = narrow_last};
                            const auto block = make_block<T>(strips, depth, along_depth, depth % 3);
                            const T canary = T(77);
                            const auto expected = expected_panels(block, shape, scale, canary);
                            for (std::size_t p = 0; p < packers.size(); ++p) {
                                std::vector<T> packed(expected.size(), canary);
                                packers[p](block.source.data(), block.strip_stride, block.depth_stride,
                                           strips, depth, scale, shape, packed.data());
                                ++checked;
                                if (!same_bits(packed, expected) && wrong++ == 0)
                                    first =
                                        fmt::format("packer {} width {} strips {} depth {} along depth "
                                                    "{} narrow {} scale {}",
                                                    p, width, strips, depth, along_depth, narrow_last, scale);
                            }
                        }
    INFO(first);
    CHECK(wrong == 0);
    CHECK(checked > 5000 * static_cast<std::int64_t>(packers.size()));
}

} // namespace

TEST_CASE("pack panels: every size of vectors gives the panel's definition, f64") {
    check_every_packer<double>();
}

TEST_CASE("pack panels: every size of vectors gives the panel's definition, f32") {
    check_every_packer<float>();
}

TEST_CASE("pack panels: depth contiguous with a block of one strip, and strips with a depth of one") {
    // Both strides may be 1: either way is right.
    const double source[] = {1, 2, 3, 4, 5};
    for (const auto packer : pack::usable_packers<double>()) {
        double packed[5] = {};
        packer(source, 1, 1, 1, 5, 1.0, {.width = 4, .kr = 1, .narrow_last = true}, packed);
        CHECK(std::equal(source, source + 5, packed));
        double panels[8] = {9, 9, 9, 9, 9, 9, 9, 9};
        packer(source, 1, 1, 5, 1, 2.0, {.width = 4, .kr = 1, .narrow_last = false}, panels);
        const double expected[] = {2, 4, 6, 8, 10, 0, 0, 0};
        CHECK(std::equal(expected, expected + 8, panels));
    }
}
